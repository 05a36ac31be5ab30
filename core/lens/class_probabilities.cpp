#include "core/lens/class_probabilities.h"

#include "core/model/head.h"
#include "core/tensor/kernels.h"
#include "core/trace/derived.h"

namespace glassformer {

void measureClassProbabilities(const Trace& trace, TensorSet& measurements) {
  if (!trace.contains(classLogits)) return;
  const TensorView logits = trace[classLogits];
  const int T = trace.tokenCount(), classes = logits.extent[1];
  Tensor probabilities({T, classes});
  for (int t = 0; t < T; ++t) {
    const std::vector<float> row = logits[t].copy();
    kernels().softmax(row.data(), &probabilities(t, 0), classes);
  }
  measurements.add(
      {classProbability, "Tc", "probability of each class, by the text up to each token", "p = softmax(u_C)"},
      std::move(probabilities),
      [logits](const Index& at) { return derivedProbability(logits[at[0]], at[1], "classes"); });
}

}  // namespace glassformer
