#include "app/shell/edit_follower.h"

#include <utility>

namespace glassformer {

void EditFollower::note(const Workspace& before, const Workspace& now, const Snapshot& shown, bool writes) {
  const bool sameTab =
      now.model == before.model && now.tab == before.tab && now.tabCount() == before.tabCount();
  if (!sameTab || now.selection != before.selection) return from_.reset();
  const bool edited = now.text != before.text || now.source != before.source;
  const bool read = shown.pass->text == before.text && shown.pass->source == before.source;
  if (writes && edited && read && !from_) from_ = tokensRead(shown);
}

std::optional<Selection> EditFollower::follow(const Workspace& now, const Snapshot& shown) {
  if (!from_ || shown.pass->text != now.text || shown.pass->source != now.source) return std::nullopt;
  const auto before = std::exchange(from_, std::nullopt);
  const Selection followed = afterEdit(now.selection, *before, tokensRead(shown));
  return followed == now.selection ? std::nullopt : std::optional(followed);
}

}  // namespace glassformer
