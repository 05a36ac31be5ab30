#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/lens/pattern_replacement.h"
#include "core/lens/token_losses.h"
#include "core/model/live_pass.h"

namespace glassformer {

/// What texts come to as they are, and where a head looks evenly: computed once, however many rules are
/// put in that head's place.
class LossBaselines {
 public:
  /// Of the text that is called so; `even` makes the head look evenly.
  const TokenLosses& clean(LivePass& pass, std::span<const int> tokens, std::span<const int> source,
                           int text);
  const TokenLosses& ablated(LivePass& pass, std::span<const int> tokens, std::span<const int> source,
                             int text, HeadId head, const Intervention& even);
  /// How many passes that took.
  int passes() const { return static_cast<int>(clean_.size() + ablated_.size()); }

 private:
  std::map<int, TokenLosses> clean_;
  std::map<std::pair<HeadId, int>, TokenLosses> ablated_;
};

/// What a head's pattern is worth to the model, and how much of it a rule brings back, when it takes
/// the pattern's place in the forward pass. With L the mean of −ln p(x_{t+1} | x_0 … x_t) over the tokens of
/// the texts that count, of those behind their first,
///
///     recovered = (L_ablated − L_rule) / (L_ablated − L_clean).
///
/// Ablated: the head looks evenly at all that each query sees, and so moves their mean; its values and its
/// output stay. 1 is all of the loss, 0 no more than looking nowhere in particular; below 0 is worse than
/// that (Chan et al. 2022: causal scrubbing measures with the same fraction).
class RecoveredLoss {
 public:
  /// `wording`: the model's.
  RecoveredLoss(HeadId head, AttentionRule rule, std::shared_ptr<const Wording> wording,
                const ModelConfig& config);

  /// A text that is continued: of at least two tokens, others say nothing. `text`: what `baselines` call it.
  void add(LivePass& pass, std::span<const int> tokens, std::span<const int> source, int text,
           LossBaselines& baselines, const CountedTokens& counted = {});

  /// What one text came to: L of those of its tokens that count.
  struct OfText {
    int text = 0;  ///< as add() called it
    int tokens = 0;
    float clean = 0, ablated = 0, replaced = 0;
  };

  const std::vector<OfText>& ofTexts() const { return ofTexts_; }
  int texts() const { return static_cast<int>(ofTexts_.size()); }
  long long tokens() const { return tokens_; }
  /// What is put in the head's place when it looks evenly, and when it does as the rule says.
  const Intervention& even() const { return even_; }
  const Intervention& replacement() const { return replacement_; }
  double clean() const { return mean(clean_); }  ///< L in nats, and so the next
  double ablated() const { return mean(ablated_); }
  double replaced() const { return mean(replaced_); }
  /// NaN where the pattern is worth less than leastWorth: nothing is lost that could be recovered.
  double recovered() const;
  /// The share of places at which the likeliest next token stays the model's own.
  double answersKept() const { return mean(kept_); }
  double answersKeptAblated() const { return mean(keptAblated_); }

  static constexpr double leastWorth = 1e-3;  ///< L_ablated − L_clean, in nats

 private:
  double mean(double sum) const { return tokens_ > 0 ? sum / static_cast<double>(tokens_) : 0; }

  HeadId head_;
  Intervention even_, replacement_;
  std::vector<OfText> ofTexts_;
  long long tokens_ = 0;
  double clean_ = 0, ablated_ = 0, replaced_ = 0, kept_ = 0, keptAblated_ = 0;  // sums over tokens
};

/// Why there is no loss of next tokens; empty where there is one.
std::string whyNoRecoveredLoss(const ModelConfig& config);

}  // namespace glassformer
