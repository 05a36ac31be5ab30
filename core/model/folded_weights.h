#pragma once
#include <optional>

#include "core/model/transformer.h"

namespace glassformer {

/// How other programs rewrite the weights of a model that they load: its predictions stay, its activations
/// are other ones.
enum class Folding {
  Norms,  ///< scale and shift of every norm are part of the matrix behind it; the norm itself has none
  All,    ///< also: what is written into the residual stream has mean 0 (LayerNorm alone), as have the logits
          ///< of a token; biases of values are part of attention's output
};

/// The model as such a program holds it, as TransformerLens does by default (fold_ln; with
/// center_writing_weights, center_unembed and fold_value_biases: All). Nothing where there is no such form:
/// norms have to stand before the sublayers of a single stack.
std::optional<Transformer> folded(const Transformer& model, Folding how);

}  // namespace glassformer
