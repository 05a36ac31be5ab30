#pragma once
#include "core/lens/rule_fit.h"
#include "core/lens/token_losses.h"

namespace glassformer {

/// What leaving out a part does to a text: to what the model says of every token that comes next, computed
/// anew without it.
struct TextEffect {
  float loss = 0;   ///< by how much the mean of −ln p rises, in nats
  float logit = 0;  ///< by how much the mean logit of these tokens changes
  int worst = 0;    ///< the token in front of the one whose −ln p rises most
};
/// Of two passes over the same text, of two tokens at least, over the counted ones.
TextEffect effectOn(const TokenLosses& whole, const TokenLosses& without, const CountedTokens& counted = {});
/// By how much −ln p rises of every token behind the first.
std::vector<float> lossRises(const TokenLosses& whole, const TokenLosses& without);

/// The same over many texts, each of which counts alike: mean and spread say whether what holds for one text
/// holds for others.
class PartEffects {
 public:
  struct OfText {
    int text = 0;
    TextEffect effect;
  };
  void add(int text, const TextEffect& effect);

  const Spread& loss() const { return loss_; }
  const Spread& logit() const { return logit_; }
  const std::vector<OfText>& texts() const { return texts_; }

  /// Those in which the loss changes most, the most harm first, all of them or `most`.
  std::vector<OfText> strongestFirst(std::size_t most) const;

 private:
  Spread loss_, logit_;
  std::vector<OfText> texts_;
};

}  // namespace glassformer
