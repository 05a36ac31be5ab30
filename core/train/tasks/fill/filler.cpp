#include "core/train/tasks/fill/filler.h"

namespace glassformer {

std::vector<int> Filler::filled(std::span<const int> tokens) {
  const auto trace = pass_.run(tokens);
  const TensorView logits = (*trace)["logits"];
  std::vector<int> result;
  for (int t = 0; t < logits.extent[0]; ++t) {
    if (tokens[static_cast<std::size_t>(t)] != mask_) continue;
    int best = mask_ == 0 ? 1 : 0;
    for (int v = 0; v < logits.extent[1]; ++v)
      if (v != mask_ && logits(t, v) > logits(t, best)) best = v;
    result.push_back(best);
  }
  return result;
}

}  // namespace glassformer
