#include "core/lens/recovered_loss.h"

#include <limits>

namespace glassformer {

const TokenLosses& LossBaselines::clean(LivePass& pass, std::span<const int> tokens,
                                        std::span<const int> source, int text) {
  auto found = clean_.find(text);
  if (found == clean_.end()) found = clean_.emplace(text, tokenLossesOf(*pass.run(tokens, {}, source))).first;
  return found->second;
}

const TokenLosses& LossBaselines::ablated(LivePass& pass, std::span<const int> tokens,
                                          std::span<const int> source, int text, HeadId head,
                                          const Intervention& even) {
  auto found = ablated_.find({head, text});
  if (found == ablated_.end())
    found = ablated_.emplace(std::pair(head, text), tokenLossesOf(*pass.run(tokens, {even}, source))).first;
  return found->second;
}

RecoveredLoss::RecoveredLoss(HeadId head, AttentionRule rule, std::shared_ptr<const Wording> wording,
                             const ModelConfig& config)
    : head_(head), even_(patternReplaced(head, "any")), replacement_(patternReplaced(head, rule.text())) {
  even_.rule = ruleOf(*AttentionRule::read("any"), wording, config, head.site);
  replacement_.rule = ruleOf(std::move(rule), std::move(wording), config, head.site);
}

void RecoveredLoss::add(LivePass& pass, std::span<const int> tokens, std::span<const int> source, int text,
                        LossBaselines& baselines, const CountedTokens& counted) {
  if (tokens.size() < 2) return;
  const TokenLosses& clean = baselines.clean(pass, tokens, source, text);
  const TokenLosses& ablated = baselines.ablated(pass, tokens, source, text, head_, even_);
  const TokenLosses replaced = tokenLossesOf(*pass.run(tokens, {replacement_}, source));
  clean_ += clean.loss(counted), ablated_ += ablated.loss(counted), replaced_ += replaced.loss(counted);
  kept_ += agreeing(clean, replaced, counted), keptAblated_ += agreeing(clean, ablated, counted);
  const int count = countedOf(counted, replaced.tokens());
  tokens_ += count;
  const auto meanOf = [&](const TokenLosses& of) { return static_cast<float>(of.loss(counted) / count); };
  ofTexts_.push_back({text, count, meanOf(clean), meanOf(ablated), meanOf(replaced)});
}

double RecoveredLoss::recovered() const {
  const double worth = ablated() - clean();
  if (worth < leastWorth) return std::numeric_limits<double>::quiet_NaN();
  return (ablated() - replaced()) / worth;
}

std::string whyNoRecoveredLoss(const ModelConfig& config) {
  return config.stack == Stack::EncoderOnly ? "this is a masked language model: it has no next token" : "";
}

}  // namespace glassformer
