#include "core/lens/positions.h"

#include <cmath>
#include <vector>

#include "core/tensor/kernels.h"

namespace glassformer {
namespace {

Tensor cosineSimilarity(const TensorView& table) {
  const int C = table.extent[0], D = table.extent[1];
  Tensor similarity({C, C});
  kernels().multiply({C, C, D, table.data, table.stride[0], 1, table.data, 1, table.stride[0],
                      similarity.values().data(), C});
  std::vector<float> norm(static_cast<std::size_t>(C));
  for (int t = 0; t < C; ++t) norm[static_cast<std::size_t>(t)] = std::sqrt(similarity(t, t));
  for (int t = 0; t < C; ++t)
    for (int u = 0; u < C; ++u) {
      const float product = norm[static_cast<std::size_t>(t)] * norm[static_cast<std::size_t>(u)];
      similarity(t, u) = product > 0 ? similarity(t, u) / product : 0;
    }
  return similarity;
}

}  // namespace

void measurePositions(const Transformer& model, TensorSet& measurements) {
  const TensorView used = model.positionTable();
  Tensor own({used.extent[0], used.extent[1]}, used.copy());
  Tensor sinusoidal = sinusoidalPositions(model.config().context, model.config().width);
  measurements.add({"positions.model_similarity", "CC",
                    "cosine of the model's encodings of any two positions", "p_t · p_u / (‖p_t‖ ‖p_u‖)"},
                   cosineSimilarity(own.view()));
  measurements.add({"positions.sinusoidal_similarity", "CC",
                    "cosine of the sinusoidal encodings of any two positions", "p_t · p_u / (‖p_t‖ ‖p_u‖)"},
                   cosineSimilarity(sinusoidal.view()));
  measurements.add({"positions.model", "CD", "the model's position encoding", "p = P[t]"}, std::move(own));
  measurements.add({"positions.sinusoidal", "CD", "the sinusoidal position encoding",
                    "p[t, 2i] = sin(t / 10000^(2i/D)), p[t, 2i+1] = cos(...)"},
                   std::move(sinusoidal));
}

}  // namespace glassformer
