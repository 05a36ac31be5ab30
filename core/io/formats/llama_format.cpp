// Llama and what is built like it: RMS norms, a gated MLP, rotary positions whose pairs are halves of a head.
#include "core/io/formats/config_fields.h"
#include "core/io/formats/model_formats.h"

namespace glassformer {
namespace {

// Of Qwen2 queries, keys and values have one in any case.
Biases biasesOf(ConfigFields& fields, const std::string& type) {
  const bool attention = fields.flag("attention_bias", false), mlp = fields.flag("mlp_bias", false);
  if (type == "qwen2") return Biases::QueriesKeysValues;
  if (attention && mlp) return Biases::All;
  return attention ? Biases::Attention : mlp ? Biases::FeedForward : Biases::None;
}

// Of Qwen windows begin at block max_window_layers, of Mistral all blocks have one, and of Llama none. A
// window that is not used, or as large as the context, is none.
void takeWindows(ConfigFields& fields, const std::string& type, ModelConfig& config) {
  const bool isQwen = type == "qwen2" || type == "qwen3", lists = fields.isSet("layer_types");
  const int size = fields.isSet("sliding_window") ? fields.size("sliding_window") : 0;
  const bool slides = fields.flag("use_sliding_window", type == "mistral" || (lists && !isQwen)) && size > 0;
  std::vector<bool> full;
  if (isQwen) {
    const int first = fields.count("max_window_layers", 28);
    for (int layer = 0; layer < config.layers; ++layer) full.push_back(layer < first);
  }
  fields.windows(slides ? size : 0, std::move(full), config);
  if (size >= config.context) config.mask = {}, config.fullBlocks.clear();
}

Result<ModelConfig> llamaConfig(ConfigFields& fields) {
  const std::string type = fields.text("model_type", "llama");
  ModelConfig config = fields.likeLlama(0);
  config.activation = Activation::SwiGlu;
  config.tiedUnembedding = fields.flag("tie_word_embeddings", false);
  config.biases = biasesOf(fields, type);
  config.normedQueries = type == "qwen3";
  takeWindows(fields, type, config);
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
