// GPT-Neo: GPT-2 with scores that are not scaled, no biases of queries, keys and values, and windows in some
// of the blocks, which "local" names; the TinyStories models are of this family (Black et al. 2021; Eldan and
// Li 2023).
#include <string>

#include "core/io/formats/config_fields.h"
#include "core/io/formats/model_formats.h"

namespace glassformer {
namespace {

// Which blocks are "global", from a list of types.
void addTypes(ConfigFields& fields, const char* field, const nlohmann::json& types, std::vector<bool>& full) {
  if (!types.is_array()) return fields.refuse(field, "is " + shownJson(types) + ", not a list of types");
  for (const nlohmann::json& type : types) {
    full.push_back(type == "global");
    if (type != "global" && type != "local")
      return fields.refuse(field, "lists " + shownJson(type) + "; known are global and local");
  }
}

// From [[["global", "local"], 4]]: what each group lists, that often.
void addGroups(ConfigFields& fields, const nlohmann::json& groups, std::size_t layers,
               std::vector<bool>& full) {
  constexpr const char* field = "attention_types";
  for (const nlohmann::json& group : groups) {
    const bool isGroup = group.is_array() && group.size() == 2 && group[1].is_number_unsigned();
    if (!isGroup) return fields.refuse(field, "has " + shownJson(group) + "; a group is [types, times]");
    const auto times = group[1].get<std::uint64_t>();
    for (std::uint64_t i = 0; i < times && full.size() <= layers && !group[0].empty(); ++i)
      addTypes(fields, field, group[0], full);
  }
}

// attention_layers lists the blocks one by one; transformers makes it from attention_types.
std::vector<bool> fullBlocksOf(ConfigFields& fields, int layers) {
  const auto count = static_cast<std::size_t>(layers);
  const bool isListed = fields.isSet("attention_layers");
  std::vector<bool> full, listed;
  if (fields.isSet("attention_types"))
    addGroups(fields, fields.list("attention_types"), count, full);
  else if (!isListed)
    for (int layer = 0; layer < 24; ++layer) full.push_back(layer % 2 == 0);  // transformers' default
  if (isListed) addTypes(fields, "attention_layers", fields.any("attention_layers"), listed);
  if (full.empty()) full = listed;
  if (full.size() != count)
    fields.refuse("attention_types",
                  "does not list as many blocks as num_layers, which is " + std::to_string(layers));
  else if (isListed && listed != full)
    fields.refuse("attention_layers", "contradicts attention_types");
  return full;
}

Result<ModelConfig> gptNeoConfig(ConfigFields& fields) {
  ModelConfig config;
  config.layers = fields.size("num_layers"), config.heads = fields.size("num_heads");
  config.width = fields.size("hidden_size");
  config.feedForward = fields.size("intermediate_size", 4 * config.width);
  config.vocabulary = fields.size("vocab_size");
  config.context = fields.size("max_position_embeddings", 2048);
  config.activation = fields.activation("activation_function", "gelu_new");
  config.normEpsilon = static_cast<float>(fields.number("layer_norm_epsilon", 1e-5));
  config.biases = Biases::NotQueriesKeysValues, config.scaledScores = false;
  config.tiedUnembedding = fields.flag("tie_word_embeddings", true);
  fields.windows(fields.size("window_size", 256), fullBlocksOf(fields, config.layers), config);
  return fields.finish(config);
}

}  // namespace

const ModelFormat& gptNeoFormat() {
  static const ModelFormat format{
      .name = "GPT-Neo",
      .types = {"gpt_neo"},
      .config = gptNeoConfig,
      .prefixes = {"", "transformer."},
      .layers = "h.",
      .inBlock = {{"attn.c_attn",
                   {"attn.attention.q_proj", "attn.attention.k_proj", "attn.attention.v_proj"}},
                  {"attn.c_proj", {"attn.attention.out_proj"}}},
      .tiedEndings = {{"wte.weight", "lm_head.weight"}},
      .skipped = {".attn.attention.bias", ".attn.attention.masked_bias"},
  };
  return format;
}

}  // namespace glassformer
