#pragma once
#include <functional>
#include <span>
#include <vector>

#include "core/decode/sampling.h"

namespace glassformer {

/// One token that the draft model proposed, and what became of it.
struct Proposal {
  int token = 0;
  double draft = 0;   ///< q: how probable it is for the draft, after the stages
  double target = 0;  ///< p: for the model itself
  double u = 0;       ///< it is accepted where u < p / q
  bool accepted = false;
};

/// What one pass of the model itself yields: the proposals that it accepts, and a token of its own.
struct SpeculativeRound {
  std::vector<Proposal> proposals;  ///< up to the first that is not accepted
  std::vector<int> dropped;         ///< proposed behind that, and dropped with it
  int token = -1;                   ///< drawn by the model itself; -1: there was no room for one
  bool isCorrection = false;        ///< drawn in place of a proposal, from what p has beyond q
  std::vector<int> added() const;   ///< what the text goes on with
};

/// The logits [V] after each of the last `count` prefixes of `tokens`, the shortest first, in one pass of a
/// model: whatever of them it has read before need not be computed again.
using LogitsOfPrefixes =
    std::function<std::vector<std::vector<float>>(std::span<const int> tokens, int count)>;
LogitsOfPrefixes logitsOfPrefixes(LivePass& pass, const Interventions& interventions = {},
                                  std::span<const int> source = {});

/// Speculative decoding (Leviathan, Kalman and Matias 2023): a small model, the draft, proposes `proposals`
/// tokens one by one; the model itself reads all of them in one pass, and accepts each with probability
/// min(1, p / q). In place of the first that it refuses it draws one from (p − q)⁺ / Σ (p − q)⁺. So every
/// token is distributed as if the model itself had drawn it:
///   q · min(1, p / q) + (1 − β) · (p − q)⁺ / Σ (p − q)⁺ = min(p, q) + (p − q)⁺ = p,  β = Σ min(p, q).
/// Both distributions are taken after the stages of sampling and the constraint; the draft must have the same
/// vocabulary. Another use of a seed than generate(): the same distribution, not the same text.
class Speculation {
 public:
  /// Up to `count` new tokens; ends behind one of `stop`, at the context and where nothing fits.
  Speculation(std::vector<int> prompt, const SamplingSettings& settings, int proposals, int count,
              int context, TextEnds stop = {});

  bool isDone() const { return isDone_; }
  /// One pass of the model itself; before isDone() only.
  SpeculativeRound advance(const LogitsOfPrefixes& model, const NextTokenLogits& draft);
  /// The prompt and what was added by now.
  const std::vector<int>& text() const { return text_; }
  /// What the token behind a text, which begins with the prompt, is drawn from; empty where nothing fits.
  Candidates distribution(std::span<const float> logits, std::span<const int> text) const;

 private:
  bool isWhole(const std::vector<int>& text) const;

  std::vector<int> text_;
  std::size_t prompt_;
  SamplingSettings settings_;
  int proposals_;
  std::size_t most_;
  TextEnds stop_;
  Random random_;
  bool isDone_ = false;
};

/// Whether one of them can draft for the other: the same tokens under the same numbers.
bool sharesTokens(const Tokenizer& a, const Tokenizer& b);

/// (p − q)⁺ / Σ (p − q)⁺, the most probable first; p itself where p = q.
Candidates beyond(const Candidates& p, const Candidates& q);
/// β = Σ min(p, q): how probable it is that a proposal is accepted.
double overlap(const Candidates& p, const Candidates& q);

}  // namespace glassformer
