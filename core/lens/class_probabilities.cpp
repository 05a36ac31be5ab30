#include "core/lens/class_probabilities.h"

#include <algorithm>

#include "core/model/head.h"
#include "core/tensor/aligned_vector.h"
#include "core/tensor/kernels.h"
#include "core/trace/derived.h"

namespace glassformer {

void measureClassProbabilities(const Trace& trace, TensorSet& measurements) {
  if (!trace.contains(classLogits)) return;
  const TensorView logits = trace[classLogits];
  const int T = trace.tokenCount(), classes = logits.extent[1];
  Tensor probabilities({T, classes});
  AlignedVector p(static_cast<std::size_t>(classes));
  for (int t = 0; t < T; ++t) {
    const std::vector<float> row = logits[t].copy();
    kernels().softmax(row.data(), p.data(), classes);
    std::ranges::copy(p, &probabilities(t, 0));
  }
  measurements.add(
      {classProbability, "Tc", "probability of each class, by the text up to each token", "p = softmax(u_C)"},
      std::move(probabilities),
      [logits](const Index& at) { return derivedProbability(logits[at[0]], at[1], "classes"); });
}

}  // namespace glassformer
