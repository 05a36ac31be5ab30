#include "app/engine/decoded_numbers.h"

#include <cmath>
#include <utility>

#include "core/trace/derived.h"

namespace glassformer {

namespace {

Tensor asTensor(std::vector<float> values) {
  const int count = static_cast<int>(values.size());
  return Tensor({count}, std::move(values));
}

void addLogarithms(const TensorSet* set, const char* name, Derivation& sum) {
  if (!set) return;
  const TensorView logarithm = (*set)[name];
  for (int i = 0; i < logarithm.extent[0]; ++i) sum.terms.push_back({&logarithm(i)});
}

}  // namespace

std::shared_ptr<const TensorSet> measureDecoded(const std::string& prefix, const DecodedNumbers& numbers,
                                                const TensorSet::AcrossOf& byModel,
                                                TensorSet::AcrossOf byDraw) {
  std::vector<float> probability, logarithm;
  for (const double logP : numbers.logProbability)
    probability.push_back(static_cast<float>(std::exp(logP))), logarithm.push_back(static_cast<float>(logP));
  auto set = std::make_shared<TensorSet>();
  set->addAcross({prefix + ".probability", "N", "probability of each decoded token after all before it",
                  "p = softmax(logits)"},
                 asTensor(std::move(probability)), byModel);
  const TensorView p = (*set)[prefix + ".probability"];
  set->add({prefix + ".log_probability", "N", "log-probability of each decoded token", "ln p"},
           asTensor(std::move(logarithm)), [p](const Index& at) { return derivedLogarithm(&p(at[0])); });
  set->addAcross({prefix + ".drawn", "N", "probability of each sampled token, after the filters",
                  "q = softmax(z) over the candidates left"},
                 asTensor(numbers.drawn), std::move(byDraw));
  if (!numbers.entropy.empty())
    set->add({prefix + ".entropy", "N", "entropy of the model where each token was decoded", "H = −Σ p ln p"},
             asTensor(numbers.entropy));
  return set;
}

std::shared_ptr<const TensorSet> measureTotal(std::shared_ptr<const TensorSet> way,
                                              std::shared_ptr<const TensorSet> continuation) {
  Derivation sum;
  addLogarithms(way.get(), "way.log_probability", sum);
  addLogarithms(continuation.get(), "continuation.log_probability", sum);
  if (sum.terms.empty()) return nullptr;
  auto set = std::make_shared<TensorSet>();
  addDerived(
      *set, {"strip.total", "1", "log-probability of the whole continuation", "ln P = Σ ln p"}, {1},
      [sum, way = std::move(way), continuation = std::move(continuation)](const Index&) { return sum; });
  return set;
}

}  // namespace glassformer
