// Phi-1, Phi-1.5 and Phi-2: attention and MLP read one norm of the same stream, rotary positions turn a part
// of every head, and all products have biases, the unembedding included (Gunasekar et al. 2023; Li et al.
// 2023).
#include "core/io/formats/config_fields.h"
#include "core/io/formats/model_formats.h"
#include "core/model/positional/rotary.h"

namespace glassformer {
namespace {

Result<ModelConfig> phiConfig(ConfigFields& fields) {
  ModelConfig config = fields.sizes();
  config.keyValueHeads = fields.size("num_key_value_heads", config.heads);
  config.activation = fields.activation("hidden_act", "gelu_new");
  config.normEpsilon = static_cast<float>(fields.number("layer_norm_eps", 1e-5));
  config.positions = &rotaryHalvesPositions();
  fields.rotary("rope_theta", 10000, config);
  fields.turnedShare("partial_rotary_factor", 0.5, config);
  config.parallel = true;
  config.tiedUnembedding = fields.flag("tie_word_embeddings", false);
  config.unembeddingBias = true;
  return fields.finish(config);
}

}  // namespace

const ModelFormat& phiFormat() {
  static const ModelFormat format{
      .name = "Phi",
      .types = {"phi"},
      .config = phiConfig,
      .base = "model.",
      .layers = "model.layers.",
      .inBlock = {{"ln_1", {"input_layernorm"}},
                  {"ln_2", {"input_layernorm"}},  // one norm for both
                  {"attn.c_attn", {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"}},
                  {"attn.c_proj", {"self_attn.dense"}},
                  {"mlp.c_fc", {"mlp.fc1"}},
                  {"mlp.c_proj", {"mlp.fc2"}}},
      .outside = {{"wte", {"model.embed_tokens"}}, {"ln_f", {"model.final_layernorm"}}},
      .tiedEndings = {{"model.embed_tokens.weight", "lm_head.weight"}},
      .skipped = {".rotary_emb.inv_freq"},
  };
  return format;
}

}  // namespace glassformer
