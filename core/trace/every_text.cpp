#include "core/trace/every_text.h"

#include <algorithm>

namespace glassformer {

bool isOfEveryText(const Intervention& intervention, std::string_view letters) {
  bool isAtToken = false;
  for (std::size_t d = 0; d < letters.size(); ++d)
    isAtToken |= (letters[d] == 'T' || letters[d] == 'S') && intervention.index[d] != Intervention::every;
  return !intervention.tensor && !isAtToken;
}

Interventions ofEveryText(const Interventions& interventions, const TensorSet& trace) {
  Interventions some = interventions;
  std::erase_if(some, [&](const Intervention& each) {
    const int point = trace.find(each.point);
    return !isOfEveryText(each, point < 0 ? std::string_view() : trace.point(point).letters);
  });
  return some;
}

}  // namespace glassformer
