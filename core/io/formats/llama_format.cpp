// Llama and what is built like it: RMS norms, a gated MLP, rotary positions whose pairs are halves of a head.
#include "core/io/formats/config_fields.h"
#include "core/io/formats/model_formats.h"

namespace glassformer {
namespace {

// Qwen2 has a bias on queries, keys and values; Llama may have all or none.
Biases biasesOf(ConfigFields& fields, const std::string& type) {
  if (type == "qwen2") return Biases::QueriesKeysValues;
  const bool attention = fields.flag("attention_bias", false), mlp = fields.flag("mlp_bias", false);
  if (attention != mlp)
    fields.refuse(attention ? "attention_bias" : "mlp_bias",
                  "is true alone; attention and MLP have biases both or neither here");
  return attention ? Biases::All : Biases::None;
}

// Whether every block has full attention: windows begin at block max_window_layers, which is 0 or past the
// last.
bool hasFullBlocks(ConfigFields& fields, int layers) {
  const int full = fields.count("max_window_layers", 28);
  if (full > 0 && full < layers)
    fields.refuse("max_window_layers", "is " + std::to_string(full) + " of " + std::to_string(layers) +
                                           " layers; computed here are windows in all of them or in none");
  return full > 0;
}

AttentionMask maskOf(ConfigFields& fields, const std::string& type, const ModelConfig& config) {
  const bool slides = fields.flag("use_sliding_window", type == "mistral") && fields.has("sliding_window");
  const bool isQwen = type == "qwen2" || type == "qwen3";
  if (!slides || (isQwen && !fields.has("layer_types") && hasFullBlocks(fields, config.layers))) return {};
  const int context = config.context;
  const int size = fields.size("sliding_window");
  return size < context ? AttentionMask{MaskKind::Window, size, {}} : AttentionMask{};
}

Result<ModelConfig> llamaConfig(const nlohmann::json& file, std::string_view name) {
  ConfigFields fields(file, name);
  const std::string type = fields.text("model_type", "llama");
  ModelConfig config = fields.likeLlama(0);
  config.activation = Activation::SwiGlu;
  config.tiedUnembedding = fields.flag("tie_word_embeddings", false);
  config.biases = biasesOf(fields, type);
  config.normedQueries = type == "qwen3";
  config.mask = maskOf(fields, type, config);
  if (const std::string gate = fields.text("hidden_act", "silu"); gate != "silu")
    fields.refuse("hidden_act", "is \"" + gate + "\"; the gate of the MLP here is silu");
  return fields.finish(config);
}

}  // namespace

const ModelFormat& llamaFormat() {
  static const ModelFormat format{
      .name = "Llama",
      .types = {"llama", "mistral", "qwen2", "qwen3"},
      .config = llamaConfig,
      .base = "model.",
      .layers = "model.layers.",
      .inBlock = {{"ln_1", {"input_layernorm"}},
                  {"attn.c_attn", {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"}},
                  {"attn.q_norm", {"self_attn.q_norm"}},
                  {"attn.k_norm", {"self_attn.k_norm"}},
                  {"attn.c_proj", {"self_attn.o_proj"}},
                  {"ln_2", {"post_attention_layernorm"}},
                  {"mlp.c_fc", {"mlp.gate_proj", "mlp.up_proj"}},
                  {"mlp.c_proj", {"mlp.down_proj"}}},
      .outside = {{"wte", {"model.embed_tokens"}}, {"ln_f", {"model.norm"}}},
      .tiedEndings = {{"model.embed_tokens.weight", "lm_head.weight"}},
      .skipped = {".rotary_emb.inv_freq"},
      .pieceSigns = {{"<s>"}, {}},
  };
  return format;
}

}  // namespace glassformer
