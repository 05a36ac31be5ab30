#pragma once
#include <string>
#include <string_view>

#include "core/model/config.h"
#include "core/result.h"

namespace glassformer {

/// `config.json` as Hugging Face has it for a GPT-2 (n_layer, n_head, n_embd, n_inner (null: 4 n_embd),
/// n_positions, vocab_size, activation_function, layer_norm_epsilon, tie_word_embeddings, resid_pdrop), and a
/// key for every other choice (core/model/choices.h) that is not made as in a GPT-2; the model_type is then
/// "glassformer".

/// Whether the content is about such a model at all: it is, unless it is a JSON object of another model_type.
bool isModelConfig(std::string_view json);

/// Refuses, naming the field: missing or absurd sizes, and options that would change the computation in ways
/// the transformer here does not have.
Result<ModelConfig> parseModelConfig(std::string_view json, std::string_view name = "config.json");

/// `endOfText`: id of `<|endoftext|>`, -1 when there is none.
std::string modelConfigJson(const ModelConfig& config, int endOfText);

}  // namespace glassformer
