#include "core/lens/patching.h"

#include <algorithm>

namespace glassformer {

Intervention patchAt(const Trace& here, const Trace& other, const std::string& point, int position,
                     int from) {
  const TensorView values = here[point];
  auto tensor = std::make_shared<Tensor>(Tensor({values.extent[0], values.extent[1]}));
  std::copy_n(&other[point](from, 0), values.extent[1], &(*tensor)(position, 0));
  Intervention patch{.point = point, .kind = InterventionKind::Replace};
  patch.index[0] = position;
  patch.tensor = std::move(tensor);
  return patch;
}

Intervention patchOfHead(const Trace& here, const Trace& other, const std::string& point, int head,
                         const Alignment& alignment) {
  const TensorView own = here[point], theirs = other[point];
  auto tensor = std::make_shared<Tensor>(Tensor({own.extent[0], own.extent[1], own.extent[2]}, own.copy()));
  for (const auto& [a, b] : alignment.columns)
    if (a >= 0 && b >= 0) std::copy_n(&theirs(b, head, 0), own.extent[2], &(*tensor)(a, head, 0));
  Intervention patch{.point = point, .kind = InterventionKind::Replace};
  patch.index[1] = head;
  patch.tensor = std::move(tensor);
  return patch;
}

float lead(const Trace& trace, int position, int answer, int other) {
  const TensorView logits = trace["logits"][position];
  return logits(answer) - (other == answer ? 0 : logits(other));
}

Derivation derivedLead(const Trace& trace, int position, int answer, int other) {
  const TensorView logits = trace["logits"][position];
  Derivation ahead{.terms = {{&logits(answer)}}};
  if (other != answer) ahead.terms.push_back({&logits(other), nullptr, -1});
  return ahead;
}

}  // namespace glassformer
