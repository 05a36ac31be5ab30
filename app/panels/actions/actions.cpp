#include <algorithm>
#include <vector>

#include "app/panels/action.h"
#include "app/panels/actions/action_groups.h"

namespace glassformer {

std::span<const Action> actions() {
  static const std::vector<Action> all = [] {
    std::vector<Action> joined;
    for (const auto group : {editActions(), documentActions(), goActions(), modelActions(), changeActions(),
                             decodeActions(), windowActions()})
      joined.insert(joined.end(), group.begin(), group.end());
    return joined;
  }();
  return all;
}

const Action& actionOf(std::string_view id) { return *std::ranges::find(actions(), id, &Action::id); }

bool isAvailable(const Action& action, const Ui& ui) {
  return !action.available.holds || action.available.holds(ui);
}

}  // namespace glassformer
