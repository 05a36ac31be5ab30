#include "core/lens/unembedding.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/trace/derived.h"

namespace glassformer {
namespace {

// The cosine of the angle between two rows of D numbers.
float cosineOf(const float* a, const float* b, int D) {
  double dot = 0, squareA = 0, squareB = 0;
  for (int d = 0; d < D; ++d) {
    dot += static_cast<double>(a[d]) * b[d];
    squareA += static_cast<double>(a[d]) * a[d], squareB += static_cast<double>(b[d]) * b[d];
  }
  if (squareA == 0 || squareB == 0) return std::numeric_limits<float>::quiet_NaN();
  return static_cast<float>(std::clamp(dot / std::sqrt(squareA * squareB), -1.0, 1.0));
}

int intervalOf(float cosine) {
  return std::clamp(static_cast<int>((cosine + 1) / 2 * unembedding::intervals), 0,
                    unembedding::intervals - 1);
}

}  // namespace

void measureUnembedding(const Transformer& model, TensorSet& set, const ProgressCallback& watch) {
  constexpr int atOnce = 512;
  const TensorView E = model.parameters()[unembedding::embeddingWeights], U = model.unembedding();
  const int V = E.extent[0], D = E.extent[1];
  Tensor cosines({V}), counts({unembedding::intervals}), from({unembedding::intervals}), mean({1});
  double sum = 0;
  int known = 0;
  for (int v = 0; v < V; ++v) {
    if (v % atOnce == 0 && !watch(v, V)) return;
    cosines(v) = cosineOf(&E(v, 0), &U(v, 0), D);
    if (std::isnan(cosines(v))) continue;
    counts(intervalOf(cosines(v))) += 1, sum += cosines(v), ++known;
  }
  watch(V, V);
  for (int i = 0; i < unembedding::intervals; ++i)
    from(i) = -1 + 2 * static_cast<float>(i) / unembedding::intervals;
  mean(0) = static_cast<float>(sum / known);
  set.add({unembedding::cosine, "V", "the angle between a token's row of E and its column of W_U",
           "cos = E_v · W_U,v / (‖E_v‖ ‖W_U,v‖)"},
          std::move(cosines), [E, U](const Index& at) { return derivedCosine(E[at[0]], U[at[0]]); });
  const TensorView cosine = set[unembedding::cosine];
  set.add({unembedding::count, "Z", "number of tokens in each interval of the cosine", "counted"},
          std::move(counts), [cosine](const Index& at) {
            Derivation count{.form = Form::Count};
            for (int v = 0; v < cosine.extent[0]; ++v)
              if (!std::isnan(cosine(v)) && intervalOf(cosine(v)) == at[0])
                count.terms.push_back({&cosine(v)});
            return count;
          });
  set.add({unembedding::from, "Z", "lower ends of these intervals", ""}, std::move(from));
  set.add({unembedding::mean, "1", "the mean cosine of all tokens", "Σ cos / V"}, std::move(mean),
          [cosine](const Index&) {
            std::vector<Cell> known;
            for (int v = 0; v < cosine.extent[0]; ++v)
              if (!std::isnan(cosine(v))) known.push_back(&cosine(v));
            return derivedMean(known);
          });
}

}  // namespace glassformer
