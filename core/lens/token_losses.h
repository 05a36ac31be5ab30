#pragma once
#include <vector>

#include "core/trace/trace.h"

namespace glassformer {

/// Over which of the tokens behind the first a mean is taken, [T − 1]: those that a task trains, say. Empty:
/// all.
using CountedTokens = std::vector<bool>;
inline bool counts(const CountedTokens& counted, std::size_t t) { return counted.empty() || counted[t]; }

/// What a pass says of every token that comes next, those behind the first, one number each.
struct TokenLosses {
  std::vector<float> logProbability;  ///< ln p(x_{t+1} | x_0 … x_t)
  std::vector<float> logit;           ///< of x_{t+1}
  std::vector<int> likeliest;         ///< the entry that is likeliest there

  int tokens() const { return static_cast<int>(logit.size()); }
  double loss(const CountedTokens& counted = {}) const;  ///< Σ −ln p, in nats, of those that count
};
TokenLosses tokenLossesOf(const Trace& trace);

/// How many of a text's `tokens` behind the first count.
int countedOf(const CountedTokens& counted, int tokens);
/// At how many counted places the likeliest token is the same.
int agreeing(const TokenLosses& a, const TokenLosses& b, const CountedTokens& counted = {});

}  // namespace glassformer
