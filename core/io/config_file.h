#pragma once
#include <string>
#include <string_view>

#include "core/model/config.h"
#include "core/result.h"

namespace glassformer {

/// Hugging Face's `config.json` of a GPT-2: n_layer, n_head, n_embd, n_inner (null: 4 n_embd), n_positions,
/// vocab_size, activation_function (gelu_new, gelu, relu), layer_norm_epsilon, tie_word_embeddings,
/// model_type; and a key of our own, position_embedding_type ("learned", or "sinusoidal" for the fixed table
/// of Vaswani et al. 2017).

/// Whether the content is about a GPT-2 at all: it is, unless it is a JSON object of another model_type.
bool isGpt2Config(std::string_view json);

/// Refuses, naming the field: missing or absurd sizes, and options that would change the computation in ways
/// the transformer here does not have.
Result<ModelConfig> parseModelConfig(std::string_view json, std::string_view name = "config.json");

/// `endOfText`: id of `<|endoftext|>`, -1 when there is none.
std::string modelConfigJson(const ModelConfig& config, int endOfText);

}  // namespace glassformer
