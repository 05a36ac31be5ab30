#include "core/decode/top_k.h"

namespace glassformer {

void keepTopK(Candidates& candidates, int k) {
  if (static_cast<std::size_t>(k) < candidates.size()) candidates.resize(static_cast<std::size_t>(k));
  renormalize(candidates);
}

}  // namespace glassformer
