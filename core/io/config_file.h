#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/model/config.h"
#include "core/result.h"
#include "core/text/text_ends.h"

namespace glassformer {

class ConfigFields;

/// `config.json` as Hugging Face has it for a GPT-2 (n_layer, n_head, n_embd, n_inner (null: 4 n_embd),
/// n_positions, vocab_size, activation_function, layer_norm_epsilon, tie_word_embeddings, resid_pdrop), and a
/// key for every other choice (core/model/choices.h) that is not made as in a GPT-2; the model_type is then
/// "glassformer".

/// Refuses, naming the field: missing or absurd sizes, and options that would change the computation in ways
/// the transformer here does not have.
Result<ModelConfig> ownConfig(ConfigFields& fields);
/// The same of a whole file, of which no field is passed over.
Result<ModelConfig> modelConfigFrom(const nlohmann::json& file, std::string_view name);

/// `ends`: the tokens that end a text, of which the first begins one, too; none: there are none.
std::string modelConfigJson(const ModelConfig& config, const TextEnds& ends);

}  // namespace glassformer
