#pragma once
#include <string>

#include "core/model/config.h"

namespace glassformer {

// What the choices of a model make of the equations of its lenses, in the words that its operations have for
// their own. So no measurement says 1/√K of scores that are not scaled, or a mean of a norm that takes none.

/// Behind a product of queries and keys: " / √K", " / √24" where another width counts, " / √K / 3" in the
/// third of blocks that divide by their number; "" where it is not scaled.
std::string scaledWords(const ModelConfig& config, int layer);
/// What a norm makes of x before its β: "γ ⊙ (x − mean(x)) / σ", "γ ⊙ x / rms".
std::string normWords(const ModelConfig& config, const std::string& x);
/// The same of so many norms one after the other: x itself without one, "norms(x)" with several, of which
/// those are meant that come after x; and what is said of those behind the meaning, else "".
std::string throughNormsWords(const ModelConfig& config, const std::string& x, int norms);
std::string severalNormsWords(const ModelConfig& config, int norms);
/// What a block's attention multiplies by its weights, of a share x of the stream: the norm of x where the
/// block reads a norm, the embedding's own norm before it, else x.
std::string readByBlocks(const ModelConfig& config, const std::string& x);
/// The logits, were x what the last block leaves: "norm(x) · W_U", with what else this model has there.
std::string logitWords(const ModelConfig& config, const std::string& x);
/// What a part x of the last block's output adds to a logit, the final norm's scale held fixed.
std::string logitShareWords(const ModelConfig& config, const std::string& x);

}  // namespace glassformer
