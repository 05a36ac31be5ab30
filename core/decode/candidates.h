#pragma once
#include <span>
#include <vector>

namespace glassformer {

/// One token that may come next.
struct Candidate {
  int token = 0;
  float logit = 0;
  double probability = 0;  ///< softmax over the candidates still in the list
  int seen = 0;            ///< how often it stands in the text so far
};

/// Most probable first (of equals, the lower token). What the stages of decoding narrow down, one after the
/// other.
using Candidates = std::vector<Candidate>;

/// All tokens of logits [V] after `text`, sorted, with probabilities.
Candidates candidatesOf(std::span<const float> logits, std::span<const int> text = {});
/// Recomputes the probabilities after candidates went, or all logits changed alike.
void renormalize(Candidates& candidates);
/// The same after logits changed each by itself: sorts again.
void rerank(Candidates& candidates);
/// p of a token among these; 0 where it is none of them.
double probabilityOf(const Candidates& candidates, int token);
/// H = −Σ p ln p, in nats.
double entropyOf(const Candidates& candidates);

}  // namespace glassformer
