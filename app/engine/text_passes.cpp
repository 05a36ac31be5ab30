#include "app/engine/text_passes.h"

#include <cmath>

#include "core/decode/sampling_chain.h"
#include "core/lens/across_changes.h"
#include "core/trace/derived.h"

namespace glassformer {

namespace {

constexpr const char *added = "continuation.probability", *logarithm = "continuation.log_probability",
                     *taken = "lens.greedy";

// Of each token behind the first `before` of a text, all but the last of which the pass has read.
void measureAdded(const Trace& trace, std::span<const int> text, int before, TensorSet& set) {
  const TensorView logits = trace["logits"];
  const int N = static_cast<int>(text.size()) - before;
  const std::vector<int> tokens(text.begin() + before, text.end());
  addDerived(set,
             {added, "N", "probability of each appended token after all before it", "p = softmax(logits)"},
             {N}, [=](const Index& at) {
               return derivedProbability(logits[before - 1 + at[0]], tokens[static_cast<std::size_t>(at[0])]);
             });
  addDerived(set, {logarithm, "N", "log-probability of each appended token", "ln p"}, {N},
             [p = set[added]](const Index& at) { return derivedLogarithm(&p(at[0])); });
}

// 1 for the first of the largest logits among the candidates, those that are not NaN.
Derivation derivedTaken(const TensorView& logits, int entry) {
  if (std::isnan(logits(entry))) return {.form = Form::Masked, .constant = 0};
  Derivation largest{.form = Form::Largest, .over = "tokens"};
  for (int v = 0; v < logits.extent[0]; ++v) {
    if (std::isnan(logits(v))) continue;
    if (v == entry) largest.chosen = largest.terms.size();
    largest.terms.push_back({&logits(v)});
  }
  return largest;
}

}  // namespace

ReplayedPass TextPasses::over(std::string name, std::vector<int> text) const {
  return passAgain(std::move(name), model_, Trace(std::move(text), source_), interventions_);
}

OpenPasses TextPasses::probability(std::vector<int> text) const {
  if (text.size() < 2) return nullptr;
  return [passes = *this, text = std::move(text)] {
    std::vector<int> before(text.begin(), text.end() - 1);
    const Prediction of{static_cast<int>(before.size()) - 1, text.back()};
    return probabilityAcross(passes.over("all before it", std::move(before)), of);
  };
}

OpenPasses TextPasses::logProbability(std::vector<int> text, int before, float coefficient) const {
  if (before < 1 || static_cast<int>(text.size()) <= before) return nullptr;
  return [passes = *this, text = std::move(text), before, coefficient]() -> MultiPassDerivation {
    ReplayedPass pass = passes.over("all tokens but the last", {text.begin(), text.end() - 1});
    auto set = std::make_shared<TensorSet>();
    measureAdded(*pass.trace, text, before, *set);
    Derivation sum;
    const TensorView logP = (*set)[logarithm];
    for (int i = 0; i < logP.extent[0]; ++i) sum.terms.push_back({&logP(i), nullptr, coefficient});
    pass.measured = std::move(set);
    return {std::move(sum), {std::move(pass)}};
  };
}

std::pair<ReplayedPass, TensorView> TextPasses::drawnFrom(std::string name, const std::vector<int>& text,
                                                          int prompt,
                                                          const SamplingSettings& settings) const {
  ReplayedPass pass = over(std::move(name), text);
  const TensorView row = (*pass.trace)["logits"][pass.trace->tokenCount() - 1];
  const int V = row.extent[0];
  auto set = std::make_shared<TensorSet>();
  const std::span<const int> all(text), read = all.first(static_cast<std::size_t>(prompt));
  measureSamplingChain({&row(0), static_cast<std::size_t>(V)}, read, all.subspan(read.size()), settings, 0,
                       *set);
  TensorView drawn = (*set)[chain::probability];
  drawn = drawn[drawn.extent[0] - 1];
  if (settings.greedy) {  // of those that fit the constraint; no stage acts
    const TensorView logits = (*set)[chain::logit][settings.constraint.isOff() ? 0 : 1];
    addDerived(*set, {taken, "V", "1 for the token of greedy decoding, the top token", "[argmax z = v]"}, {V},
               [logits](const Index& at) { return derivedTaken(logits, at[0]); });
    drawn = (*set)[taken];
  }
  pass.measured = std::move(set);
  return {std::move(pass), drawn};
}

OpenPasses TextPasses::drawnProbability(std::vector<int> text, int prompt,
                                        const SamplingSettings& settings) const {
  return [passes = *this, text = std::move(text), prompt, settings]() -> MultiPassDerivation {
    auto [pass, drawn] = passes.drawnFrom("all before it", {text.begin(), text.end() - 1}, prompt, settings);
    MultiPassDerivation made{{.terms = {{&drawn(text.back())}}}, {}};
    made.passes.push_back(std::move(pass));
    return made;
  };
}

OpenPasses TextPasses::drawnProbability(std::vector<int> text, int before, const SamplingSettings& settings,
                                        float coefficient) const {
  return [passes = *this, text = std::move(text), before, settings, coefficient]() -> MultiPassDerivation {
    MultiPassDerivation made{derivedProduct({}, coefficient), {}};
    for (std::size_t i = static_cast<std::size_t>(before); i < text.size(); ++i) {
      auto [pass, drawn] =
          passes.drawnFrom("all before token " + std::to_string(i),
                           {text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i)}, before, settings);
      made.derivation.terms.push_back({&drawn(text[i])});
      made.passes.push_back(std::move(pass));
    }
    return made;
  };
}

}  // namespace glassformer
