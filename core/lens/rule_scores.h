#pragma once
#include <vector>

#include "core/lens/head_id.h"
#include "core/lens/rule_fit.h"
#include "core/trace/trace.h"

namespace glassformer {

/// What every attention of a model looks over in the texts of a trace, in the order of sitesOf().
std::vector<RuleContext> lookedOverBy(const Wording& wording, const ModelConfig& config, const Trace& trace);

/// Every head of a model that attends, compared with one rule, text after text. All texts are kept, so
/// that those in which a head does something else can be looked at first.
class RuleScores {
 public:
  /// What one text said of a head.
  struct OfText {
    int text = 0;  ///< as add() called it
    float agreement = 0;
    int worst = 0;  ///< the query where it is least
  };

  RuleScores(AttentionRule rule, const ModelConfig& config);

  void add(const Trace& trace, const std::vector<RuleContext>& over, int text);

  const AttentionRule& rule() const { return rule_; }
  const Agreement& of(HeadId head) const { return heads_[indexOf(head)].all; }
  /// Those in which something is said of the head, in the order in which they were added.
  const std::vector<OfText>& textsOf(HeadId head) const { return heads_[indexOf(head)].texts; }
  /// The same, the ones that fit least first, all of them or `most`.
  std::vector<OfText> worstFirst(HeadId head, std::size_t most) const;
  /// How many texts lie in each of the agreementBins.
  std::vector<int> distribution(HeadId head) const;
  /// Every head, the best first by what it shares or by what is named; without those of an attention about
  /// which no text said anything.
  std::vector<HeadId> ranked(const Spread& (Agreement::*by)() const = &Agreement::shared) const;

 private:
  struct OfHead {
    HeadId head;
    Agreement all;
    std::vector<OfText> texts;
  };
  std::size_t indexOf(HeadId head) const;

  AttentionRule rule_;
  ModelConfig config_;
  std::vector<OfHead> heads_;
};

}  // namespace glassformer
