#include "app/engine/pattern_rules.h"

#include <algorithm>
#include <mutex>

#include "core/lens/patching.h"
#include "core/model/live_pass.h"

namespace glassformer {

std::shared_ptr<const Wording> wordingOf(const std::shared_ptr<const Tokenizer>& tokenizer) {
  return std::make_shared<const Wording>(
      Wording{[tokenizer](int id) { return tokenizer->writtenBehind(id); }});
}

namespace {

// A model's pass over a text: the same one is asked for with every pass that goes through the intervention,
// and is kept. From any thread.
class PassOfText {
 public:
  explicit PassOfText(std::shared_ptr<const Transformer> model, Interventions standing = {})
      : pass_(std::move(model), 1), standing_(std::move(standing)) {}

  template <typename Look>
  Tensor lookedAt(std::span<const int> tokens, std::span<const int> source, Look look) {
    const std::lock_guard lock(mutex_);
    const auto context = static_cast<std::size_t>(pass_.model().config().context);
    const auto read = tokens.first(std::min(tokens.size(), context));
    if (!last_ || !std::ranges::equal(last_->tokens(), read) || !std::ranges::equal(last_->source(), source))
      last_ = pass_.run(read, standing_, source);
    return look(*last_);
  }

 private:
  std::mutex mutex_;
  LivePass pass_;
  Interventions standing_;
  std::shared_ptr<const Trace> last_;
};

// What another model has at a point.
class RuleOfModel final : public ActivationRule {
 public:
  RuleOfModel(std::shared_ptr<const Transformer> model, std::string point)
      : pass_(std::move(model)), point_(std::move(point)) {}

  Tensor values(std::span<const int> tokens, std::span<const int> source) const override {
    return pass_.lookedAt(tokens, source, [&](const Trace& trace) -> Tensor {
      if (!trace.contains(point_)) return Tensor({1});  // a block of another kind: nothing is replaced
      const TensorView values = trace[point_];
      return {{values.extent.begin(), values.extent.begin() + values.rank}, values.copy()};
    });
  }

 private:
  mutable PassOfText pass_;
  std::string point_;
};

// The mean of a part over the text.
class RuleOfMean final : public ActivationRule {
 public:
  RuleOfMean(std::shared_ptr<const Transformer> model, Intervention part, Interventions before)
      : pass_(std::move(model), std::move(before)), part_(std::move(part)) {}

  Tensor values(std::span<const int> tokens, std::span<const int> source) const override {
    return pass_.lookedAt(tokens, source,
                          [&](const Trace& trace) { return *heldAtMean(trace, part_).tensor; });
  }

 private:
  mutable PassOfText pass_;
  Intervention part_;
};

// Nothing where the open model has no such step.
std::shared_ptr<const ActivationRule> ruleOfStep(const Intervention& held, const RunVariant* run) {
  const auto model = run && run->weights->stepAt(held.step) >= 0 ? run->modelAt(held.step) : nullptr;
  return model ? ruleOfModel(model, held.point) : nullptr;
}

}  // namespace

std::shared_ptr<const ActivationRule> ruleOfModel(std::shared_ptr<const Transformer> model,
                                                  std::string point) {
  return std::make_shared<const RuleOfModel>(std::move(model), std::move(point));
}

Intervention heldAtItsMean(std::shared_ptr<const Transformer> model, Intervention part,
                           Interventions before) {
  Intervention held = part;
  held.kind = InterventionKind::Replace;
  held.origin = "its mean over the text";
  held.rule = std::make_shared<const RuleOfMean>(std::move(model), std::move(part), std::move(before));
  return held;
}

Interventions withMeansOf(Interventions interventions, const TokenText& text) {
  for (Intervention& each : interventions)
    if (each.rule && !each.isByRule()) {
      each.tensor = std::make_shared<const Tensor>(each.rule->values(text.tokens, text.source));
      each.rule = nullptr;
    }
  return interventions;
}

Interventions TextRules::bound(Interventions interventions, const std::shared_ptr<const Tokenizer>& tokenizer,
                               const ModelConfig& config, const RunVariant* run) {
  for (Intervention& intervention : interventions) {
    if (!intervention.isByRule() || intervention.rule) continue;  // whoever opened a run has made it
    const auto known = std::ranges::find_if(made_, [&](const Intervention& made) {
      return made.point == intervention.point && made.ruleText == intervention.ruleText &&
             made.step == intervention.step;
    });
    if (known != made_.end()) {
      intervention.rule = known->rule;
      continue;
    }
    if (intervention.step >= 0) {
      intervention.rule = ruleOfStep(intervention, run);
    } else {
      Interventions one{intervention};
      bindRules(one, wordingOf(tokenizer), config);
      intervention.rule = one.front().rule;
    }
    if (intervention.rule || intervention.step < 0) made_.push_back(intervention);
  }
  return interventions;
}

}  // namespace glassformer
