// GPT-NeoX and Pythia: parallel sublayers, rotary positions that turn a part of every head.
#include "core/io/formats/config_fields.h"
#include "core/io/formats/model_formats.h"
#include "core/model/positional/rotary.h"

namespace glassformer {
namespace {

Result<ModelConfig> neoxConfig(ConfigFields& fields) {
  ModelConfig config = fields.sizes();
  config.activation = fields.activation("hidden_act", "gelu");
  config.normEpsilon = static_cast<float>(fields.number("layer_norm_eps", 1e-5));
  config.positions = &rotaryHalvesPositions();
  fields.rotary("rotary_emb_base", 10000, config);
  fields.turnedShare("rotary_pct", 0.25, config);
  config.parallel = fields.flag("use_parallel_residual", true);
  config.tiedUnembedding = fields.flag("tie_word_embeddings", false);
  fields.mustBe("attention_bias", true);
  return fields.finish(config);
}

// Rows are heads, in each its query, its key and its value; ours are all queries, all keys, all values.
int rowOf(const ModelConfig& config, int /*piece*/, int j) {
  const int K = config.headWidth(), D = config.heads * K;
  const int which = j / D, head = j % D / K, k = j % K;
  return (head * 3 + which) * K + k;
}

}  // namespace

const ModelFormat& neoxFormat() {
  static const ModelFormat format{
      .name = "GPT-NeoX",
      .types = {"gpt_neox"},
      .config = neoxConfig,
      .base = "gpt_neox.",
      .layers = "gpt_neox.layers.",
      .inBlock = {{"ln_1", {"input_layernorm"}},
                  {"attn.c_attn", {"attention.query_key_value"}},
                  {"attn.c_proj", {"attention.dense"}},
                  {"ln_2", {"post_attention_layernorm"}},
                  {"mlp.c_fc", {"mlp.dense_h_to_4h"}},
                  {"mlp.c_proj", {"mlp.dense_4h_to_h"}}},
      .outside = {{"wte", {"gpt_neox.embed_in"}},
                  {"ln_f", {"gpt_neox.final_layer_norm"}},
                  {"lm_head", {"embed_out"}}},
      .attentionRow = rowOf,
      .skipped = {".attention.bias", ".attention.masked_bias", ".rotary_emb.inv_freq"},
  };
  return format;
}

}  // namespace glassformer
