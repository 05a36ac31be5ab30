#include "core/lens/rule_scores.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace glassformer {

std::vector<RuleContext> lookedOverBy(const Wording& wording, const ModelConfig& config, const Trace& trace) {
  std::vector<RuleContext> all;
  for (const AttentionSite site : sitesOf(config))
    all.push_back(lookedOver(wording, config, site, trace.tokens(), trace.source()));
  return all;
}

RuleScores::RuleScores(AttentionRule rule, const ModelConfig& config)
    : rule_(std::move(rule)), config_(config) {
  for (const AttentionSite site : sitesOf(config))
    for (int layer = 0; layer < blocksAt(config, site); ++layer)
      for (int head = 0; head < config.heads; ++head) heads_.push_back({{layer, head, site}, {}, {}});
}

std::size_t RuleScores::indexOf(HeadId head) const {
  return static_cast<std::size_t>(std::ranges::find(heads_, head, &OfHead::head) - heads_.begin());
}

void RuleScores::add(const Trace& trace, const std::vector<RuleContext>& over, int text) {
  auto scored = heads_.begin();
  for (std::size_t i = 0; i < over.size(); ++i) {
    const AttentionSite site = sitesOf(config_)[i];
    RuleContext seen = over[i];
    Tensor pattern = rule_.pattern(seen);
    for (int layer = 0; layer < blocksAt(config_, site); ++layer) {
      const bool isMasked = keysOf(site) == Stream::Text;
      if (const AttentionMask own = config_.maskOf(layer); isMasked && !(own == seen.mask))
        seen.mask = own, pattern = rule_.pattern(seen);
      const TensorView attention = trace[attentionPoint(layer, site, "hook_pattern")];
      for (int head = 0; head < config_.heads; ++head, ++scored) {
        const TextAgreement said = agreementOn(seen, attention[head], pattern.view());
        scored->all.add(said);
        if (!said.saysAnything()) continue;
        scored->texts.push_back({text, said.agreement, said.worst});
      }
    }
  }
}

std::vector<RuleScores::OfText> RuleScores::worstFirst(HeadId head, std::size_t most) const {
  std::vector<OfText> texts = heads_[indexOf(head)].texts;
  const auto end = texts.begin() + static_cast<std::ptrdiff_t>(std::min(most, texts.size()));
  std::ranges::partial_sort(texts, end, [](const OfText& a, const OfText& b) {
    return a.agreement != b.agreement ? a.agreement < b.agreement : a.text < b.text;
  });
  texts.erase(end, texts.end());
  return texts;
}

std::vector<int> RuleScores::distribution(HeadId head) const {
  std::vector<int> bins(agreementBins);
  for (const OfText& text : heads_[indexOf(head)].texts)
    ++bins[static_cast<std::size_t>(binOf(text.agreement))];
  return bins;
}

std::vector<HeadId> RuleScores::ranked(const Spread& (Agreement::*by)() const) const {
  std::vector<HeadId> ranked;
  for (const OfHead& own : heads_)
    if (own.all.texts() > 0) ranked.push_back(own.head);
  std::ranges::stable_sort(ranked, std::greater{}, [&](HeadId head) { return (of(head).*by)().mean(); });
  return ranked;
}

}  // namespace glassformer
