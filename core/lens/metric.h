#pragma once
#include <string>
#include <vector>

#include "core/lens/answer_metric.h"
#include "core/lens/gradient_pass.h"
#include "core/lens/token_losses.h"
#include "core/model/config.h"

namespace glassformer {

/// What an experiment (ablation, patching, edges) measures: one number m of a changed pass beside the whole
/// one.
struct Metric {
  enum class Kind {
    Loss,  ///< L changed − L, the mean of −ln p of the tokens that come, in nats. A model that fills gaps
           ///< has no next token: KL(p ‖ p changed), the mean over its gaps or, without one, all tokens:
           ///< by how much the loss of words rises that are drawn from p.
    Answer,     ///< y changed − y
    Divergence  ///< KL(p ‖ p changed) at the answer's position, in nats
  };
  Kind kind = Kind::Loss;
  AnswerMetric of = {};        ///< y
  std::vector<int> gaps = {};  ///< of the loss of a model that fills them
  CountedTokens counted = {};  ///< of the loss: the tokens whose mean it is
  bool operator==(const Metric&) const = default;

  /// Whether it is a logit or a difference of logits, which moves further than nats and shares do.
  bool isLogit() const {
    return kind == Kind::Answer &&
           (of.as == AnswerMetric::As::Logit || of.as == AnswerMetric::As::CentredLogit);
  }
};

/// The metric of one text among many, of its own answer where it ends or in its first gap. A logit difference
/// (`isDifference`) is to the second most probable entry there.
Metric ownMetric(Metric::Kind kind, AnswerMetric::As as, bool isDifference, const Trace& trace,
                 const std::vector<int>& gaps, const CountedTokens& counted = {});

/// Where its gradient begins. A loss has of every counted token the one that comes next as its target, in
/// gaps the most probable one of the whole pass. KL has no slope there: of it, the answer is taken instead.
BackwardFrom backwardFrom(const ModelConfig& config, const Trace& trace, const Metric& metric);

/// What a metric reads of a pass, kept without the pass.
class MetricOfPass {
 public:
  MetricOfPass(const ModelConfig& config, const Trace& trace, const Metric& metric);
  /// m of a changed pass, read by the same metric.
  float changeTo(const MetricOfPass& changed) const;

 private:
  void keep(const Trace& trace, int position);

  Metric metric_;
  TokenLosses losses_;
  std::vector<std::vector<float>> logits_;
};

/// What makes m: numbers of both passes.
MultiPassDerivation metricAcross(const ModelConfig& config, ReplayedPass whole, ReplayedPass changed,
                                 const Metric& metric);

/// The share of positions, or gaps, at which the most probable entry stays.
float answersKept(const ModelConfig& config, const Trace& whole, const Trace& changed, const Metric& metric);

/// "L without − L", "ln p without − ln p", "KL(p ‖ p without)".
std::string equationOf(const Metric& metric, const ModelConfig& config,
                       const std::string& changed = "without");
/// "what the loss rises by", "what the predicted logit changes by", "how far all probabilities move".
std::string wordsOf(const Metric& metric, const ModelConfig& config);

}  // namespace glassformer
