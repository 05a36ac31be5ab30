#include "app/panels/focus.h"

#include <algorithm>
#include <utility>

namespace glassformer {

void Focus::beginFrame() {
  stops_.clear();
  above_.clear();
  inside_ = enclosed_ = false;
  activated_ = std::exchange(pendingActivation_, false);
}

bool Focus::stop(const std::string& name) {
  (inside_ ? above_ : stops_).push_back(name);
  return name == name_;
}

void Focus::move(int by) {
  const auto& stops = reachable();
  const int count = static_cast<int>(stops.size());
  if (count == 0) return clear();
  const auto found = std::find(stops.begin(), stops.end(), name_);
  // From nowhere, forwards is to the first stop and backwards to the last.
  const int at = found == stops.end() ? (by > 0 ? -1 : count) : static_cast<int>(found - stops.begin());
  name_ = stops[static_cast<std::size_t>(((at + by) % count + count) % count)];
}

}  // namespace glassformer
