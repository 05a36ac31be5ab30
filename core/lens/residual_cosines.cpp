#include "core/lens/residual_cosines.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/lens/residual_stream.h"
#include "core/tensor/kernels.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

// x_p · x_q of `places` vectors [P, D] becomes their cosine; that of a vector of no length is 0.
void divideByLengths(float* products, int places) {
  std::vector<float> length(static_cast<std::size_t>(places));
  for (int p = 0; p < places; ++p) length[static_cast<std::size_t>(p)] = std::sqrt(products[p * places + p]);
  for (int p = 0; p < places; ++p)
    for (int q = 0; q < places; ++q) {
      const float both = length[static_cast<std::size_t>(p)] * length[static_cast<std::size_t>(q)];
      float& cosine = products[p * places + q];
      cosine = both > 0 ? std::clamp(cosine / both, -1.0f, 1.0f) : 0;
    }
}

}  // namespace

void measureResidualCosines(const Transformer& model, const Trace& trace, TensorSet& measurements,
                            Stream stream, const ProgressCallback& watch) {
  std::vector<TensorView> states;
  for (const ResidualPlace& place : residualPlaces(model, stream)) states.push_back(trace[place.point]);
  const int T = states[0].extent[0], P = static_cast<int>(states.size()), D = model.config().width;
  Tensor cosines({T, P, P}), of({P, D});
  for (int t = 0; t < T; ++t) {
    if (!watch(t, T)) return;
    for (int place = 0; place < P; ++place)
      std::copy_n(&states[static_cast<std::size_t>(place)](t, 0), D, &of(place, 0));
    kernels().multiply({P, P, D, &of(0, 0), D, 1, &of(0, 0), 1, D, &cosines(t, 0, 0), P});
    divideByLengths(&cosines(t, 0, 0), P);
  }
  watch(T, T);
  measurements.add({residualMeasurement("residual_cosine", stream), "TPP",
                    "cosine of a token's residual stream at two depths", "x_p · x_q / (‖x_p‖ ‖x_q‖)", stream},
                   std::move(cosines), [states](const Index& at) {
                     const auto x = [&](int place) { return states[static_cast<std::size_t>(place)][at[0]]; };
                     return derivedCosine(x(at[1]), x(at[2]));
                   });
}

}  // namespace glassformer
