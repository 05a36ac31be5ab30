#include "core/lens/next_tokens.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/log_sum_exp.h"
#include "core/tensor/aligned_vector.h"
#include "core/tensor/kernels.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

constexpr float nothing = std::numeric_limits<float>::quiet_NaN();

// The `count` largest of a row, largest first; of equals the lower index.
std::vector<int> largest(const float* row, int n, int count) {
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::partial_sort(order.begin(), order.begin() + count, order.end(),
                    [&](int a, int b) { return row[a] != row[b] ? row[a] > row[b] : a < b; });
  order.resize(static_cast<std::size_t>(count));
  return order;
}

// −ln softmax(x)[entry] = ln Σ exp(x) − x[entry], exact where p itself is too small to be told from 0.
float surpriseOf(const float* x, int n, int entry) {
  return static_cast<float>(logSumExp({x, static_cast<std::size_t>(n)}) - x[entry]);
}

}  // namespace

void measureNextTokens(const Trace& trace, TensorSet& measurements, const ProgressCallback& watch) {
  const TensorView logits = trace["logits"];
  const int T = trace.tokenCount(), V = logits.extent[1], R = std::min(listedTokens, V);
  Tensor tokens({T, R}), probabilities({T, R}), actual({T}), surprise({T});
  AlignedVector p(static_cast<std::size_t>(V));
  for (int t = 0; t < T; ++t) {
    if (!watch(t, T)) return;
    kernels().softmax(&logits(t, 0), p.data(), V);
    const auto order = largest(&logits(t, 0), V, R);
    for (int rank = 0; rank < R; ++rank) {
      const int entry = order[static_cast<std::size_t>(rank)];
      tokens(t, rank) = static_cast<float>(entry);
      probabilities(t, rank) = p[static_cast<std::size_t>(entry)];
    }
    const int next = t + 1 < T ? trace.tokens()[static_cast<std::size_t>(t) + 1] : -1;
    actual(t) = next < 0 ? nothing : p[static_cast<std::size_t>(next)];
    surprise(t) = next < 0 ? nothing : surpriseOf(&logits(t, 0), V, next);
  }
  watch(T, T);
  measurements.add({"lens.top_token", "TR", "the top next tokens", "argmax of the logits"},
                   std::move(tokens));
  measurements.add(
      {"lens.top_probability", "TR", "probabilities of the top next tokens", "p = softmax(logits)"},
      std::move(probabilities), [logits, listed = measurements["lens.top_token"]](const Index& at) {
        return derivedProbability(logits[at[0]], static_cast<int>(listed(at[0], at[1])));
      });
  measurements.add(
      {"lens.actual_probability", "T", "probability of the token that follows", "p(x_{t+1} | x_{≤t})"},
      std::move(actual), [logits, next = trace.tokens()](const Index& at) -> std::optional<Derivation> {
        const auto following = static_cast<std::size_t>(at[0]) + 1;
        if (following >= next.size()) return std::nullopt;
        return derivedProbability(logits[at[0]], next[following]);
      });
  measurements.add(
      {"lens.surprise", "T", "surprisal of the token that follows, in nats", "−ln p(x_{t+1} | x_{≤t})"},
      std::move(surprise),
      [p = measurements["lens.actual_probability"]](const Index& at) -> std::optional<Derivation> {
        if (!(p(at[0]) > 0)) return std::nullopt;
        return Derivation{.form = Form::Function,
                          .terms = {{&p(at[0])}},
                          .function = [](double x) { return -std::log(x); },
                          .functionName = "−ln "};
      });
  if (T < 2) return;
  const TensorView losses = measurements["lens.surprise"];
  addDerived(measurements,
             {"lens.loss", "1", "the loss of training: mean over all positions, in nats",
              "−1/(T − 1) Σ ln p(x_{t+1} | x_{≤t})"},
             {1}, [=](const auto&) {
               Derivation mean;
               for (int t = 0; t + 1 < T; ++t)
                 mean.terms.push_back({&losses(t), nullptr, 1.0f / static_cast<float>(T - 1)});
               return mean;
             });
}

}  // namespace glassformer
