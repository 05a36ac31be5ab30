#include "core/decode/top_k.h"

namespace glassformer {

void keepTopK(Candidates& candidates, float k) {
  if (k < static_cast<float>(candidates.size())) candidates.resize(static_cast<std::size_t>(k));
  renormalize(candidates);
}

}  // namespace glassformer
