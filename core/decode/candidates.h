#pragma once
#include <span>
#include <vector>

namespace glassformer {

/// One token that may come next.
struct Candidate {
  int token = 0;
  float logit = 0;
  double probability = 0;  ///< softmax over the candidates still in the list
};

/// Most probable first (of equals, the lower token). What the stages of decoding narrow down, one after the
/// other.
using Candidates = std::vector<Candidate>;

/// All tokens of logits [V], sorted, with probabilities.
Candidates candidatesOf(std::span<const float> logits);
/// Recomputes the probabilities after logits changed or candidates went.
void renormalize(Candidates& candidates);

}  // namespace glassformer
