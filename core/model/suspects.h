#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/model/transformer.h"

namespace glassformer {

/// A model that computes something else with the same weights, as an implementation does that got one thing
/// wrong.
struct Suspect {
  std::string words;  ///< "Scaled scores: No", "norm's ε of 1e-12", "attn.c_proj.weight transposed"
  std::shared_ptr<const Transformer> model;
};

/// The usual suspects: every choice made otherwise that needs no other weights (scores that are not scaled, a
/// residual that is not added, rotary pairs of neighbours instead of halves, a mask that comes late, ...),
/// other epsilons and rotary bases, positions one too far, one type of tokens, square matrices transposed,
/// weights that a program rewrote when it loaded them (see folded_weights.h).
std::vector<Suspect> suspectsOf(const std::shared_ptr<const Transformer>& model);

}  // namespace glassformer
