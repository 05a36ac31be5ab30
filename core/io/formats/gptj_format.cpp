// GPT-J: attention and MLP read one norm of the same stream, rotary positions turn neighbours among the first
// columns of every head, and only the MLP and the unembedding have biases (Wang and Komatsuzaki 2021).
#include "core/io/formats/config_fields.h"
#include "core/io/formats/model_formats.h"
#include "core/model/positional/rotary.h"

namespace glassformer {
namespace {

Result<ModelConfig> gptjConfig(ConfigFields& fields) {
  ModelConfig config;
  config.layers = fields.size("n_layer"), config.heads = fields.size("n_head");
  config.width = fields.size("n_embd");
  config.feedForward = fields.size("n_inner", 4 * config.width);
  config.vocabulary = fields.size("vocab_size"), config.context = fields.size("n_positions", 2048);
  config.activation = fields.activation("activation_function", "gelu_new");
  config.normEpsilon = static_cast<float>(fields.number("layer_norm_epsilon", 1e-5));
  config.positions = &rotaryPositions();
  config.rotaryDim = fields.size("rotary_dim", 64);
  if (config.rotaryDim == config.headWidth()) config.rotaryDim = 0;
  config.parallel = true;
  config.biases = Biases::FeedForward;
  config.tiedUnembedding = fields.flag("tie_word_embeddings", false);
  config.unembeddingBias = true;
  fields.mustBe("scale_attn_weights", true), fields.mustBe("rotary", true);
  return fields.finish(config);
}

}  // namespace

const ModelFormat& gptjFormat() {
  static const ModelFormat format{
      .name = "GPT-J",
      .types = {"gptj"},
      .config = gptjConfig,
      .prefixes = {"", "transformer."},
      .layers = "h.",
      .inBlock = {{"ln_2", {"ln_1"}},  // one norm for both
                  {"attn.c_attn", {"attn.q_proj", "attn.k_proj", "attn.v_proj"}},
                  {"attn.c_proj", {"attn.out_proj"}},
                  {"mlp.c_fc", {"mlp.fc_in"}},
                  {"mlp.c_proj", {"mlp.fc_out"}}},
      .tiedEndings = {{"wte.weight", "lm_head.weight"}},
      .skipped = {".attn.bias", ".attn.masked_bias"},
  };
  return format;
}

}  // namespace glassformer
