#include "app/engine/edited_selection.h"

#include <algorithm>
#include <initializer_list>

#include "core/lens/alignment.h"

namespace glassformer {

namespace {

int movedPosition(int position, const Alignment& alignment, int count) {
  if (position < 0) return position;
  const int column = alignment.columnOfA(position);
  for (int i = column; i >= 0; --i)  // in place of one that is gone stands the one before it
    if (alignment[i].b >= 0) return alignment[i].b;
  return count > 0 ? std::min(position, count - 1) : -1;
}

}  // namespace

ReadTokens tokensRead(const Snapshot& snapshot) {
  if (!snapshot.pass->trace) return {};
  const auto text = snapshot.pass->trace->tokens(), source = snapshot.pass->trace->source();
  return {{text.begin(), text.end()}, {source.begin(), source.end()}};
}

Selection afterEdit(Selection selection, const ReadTokens& before, const ReadTokens& after) {
  const auto follow = [](const std::vector<int>& old, const std::vector<int>& now,
                         std::initializer_list<int*> positions) {
    if (old == now || std::ranges::all_of(positions, [](const int* at) { return *at < 0; })) return;
    const Alignment alignment = align(old, now);
    for (int* position : positions)
      *position = movedPosition(*position, alignment, static_cast<int>(now.size()));
  };
  follow(before.text, after.text, {&selection.query, &selection.key});
  follow(before.source, after.source, {&selection.source, &selection.sourceKey});
  return selection;
}

}  // namespace glassformer
