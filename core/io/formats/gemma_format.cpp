// Gemma: as Llama, with a GELU gate, embeddings times √D, and norms that multiply by 1 + w (Gemma Team 2024).
// The second caps scores and logits and has a norm before and behind each sublayer; the third has norms of
// queries and keys instead of caps, and turns them faster in the blocks with a window (Gemma Team 2025).
#include <algorithm>

#include "core/io/formats/config_fields.h"
#include "core/io/formats/model_formats.h"

namespace glassformer {
namespace {

ModelConfig commonToGemmas(ConfigFields& fields) {
  ModelConfig config = fields.likeLlama(256);
  config.activation = Activation::GeGlu;
  config.scaledEmbedding = true;
  config.tiedUnembedding = fields.flag("tie_word_embeddings", true);
  config.biases = Biases::None;
  fields.mustBe("attention_bias", false);
  // Files of the first days say "gelu", and mean its approximation all the same.
  const std::string gate = fields.text(fields.isSet("hidden_activation") ? "hidden_activation" : "hidden_act",
                                       "gelu_pytorch_tanh");
  fields.changeNothing({"hidden_act"});
  if (gate != "gelu_pytorch_tanh" && gate != "gelu_new" && gate != "gelu")
    fields.refuse("hidden_activation", "is \"" + gate + "\"; the gate of the MLP here is gelu_pytorch_tanh");
  return config;
}

Result<ModelConfig> gemmaConfig(ConfigFields& fields) {
  const ModelConfig config = commonToGemmas(fields);
  fields.mustBeFull(config);
  return fields.finish(config);
}

// What the second and the third have in common.
ModelConfig laterGemma(ConfigFields& fields, int otherwise) {
  ModelConfig config = commonToGemmas(fields);
  config.normPlacement = NormPlacement::Sandwich;
  config.scoreWidth = fields.size("query_pre_attn_scalar", 256);
  if (config.scoreWidth == config.headWidth()) config.scoreWidth = 0;
  // The name has an underscore before it where transformers writes layer_types, too.
  const int fullAttentionEvery =
      fields.size("sliding_window_pattern", fields.size("_sliding_window_pattern", otherwise));
  std::vector<bool> full(static_cast<std::size_t>(std::min(fullAttentionEvery, 4096)), false);
  full.back() = true;
  fields.windows(fields.size("sliding_window", 4096), std::move(full), config);
  return config;
}

Result<ModelConfig> gemma2Config(ConfigFields& fields) {
  ModelConfig config = laterGemma(fields, 2);
  config.scoreCap = fields.cap("attn_logit_softcapping", 50);
  config.logitCap = fields.cap("final_logit_softcapping", 30);
  return fields.finish(config);
}

Result<ModelConfig> gemma3Config(ConfigFields& fields) {
  ModelConfig config = laterGemma(fields, 6);
  config.normedQueries = true;
  config.scoreCap = fields.cap("attn_logit_softcapping", 0);
  config.logitCap = fields.cap("final_logit_softcapping", 0);
  fields.localRotary(config);
  return fields.finish(config);
}

// Tensors are called as Llama's, but for the norms that the later ones have besides.
ModelFormat formatOfGemma(const char* name, const char* type, decltype(ModelFormat::config) config) {
  ModelFormat gemma = llamaFormat();
  gemma.name = name, gemma.types = {type}, gemma.config = config;
  gemma.normsFromOne = true;
  gemma.pieceSigns = {{"<bos>"}, {}};
  return gemma;
}

ModelFormat formatOfLaterGemma(const char* name, const char* type, decltype(ModelFormat::config) config) {
  ModelFormat gemma = formatOfGemma(name, type, config);
  std::erase_if(gemma.inBlock, [](const StoredNames& names) { return names.ours == "ln_2"; });
  gemma.inBlock.push_back({"ln_1_post", {"post_attention_layernorm"}});
  gemma.inBlock.push_back({"ln_2", {"pre_feedforward_layernorm"}});
  gemma.inBlock.push_back({"ln_2_post", {"post_feedforward_layernorm"}});
  return gemma;
}

}  // namespace

const ModelFormat& gemmaFormat() {
  static const ModelFormat format = formatOfGemma("Gemma", "gemma", gemmaConfig);
  return format;
}

const ModelFormat& gemma2Format() {
  static const ModelFormat format = formatOfLaterGemma("Gemma 2", "gemma2", gemma2Config);
  return format;
}

const ModelFormat& gemma3Format() {
  static const ModelFormat format = formatOfLaterGemma("Gemma 3", "gemma3_text", gemma3Config);
  return format;
}

}  // namespace glassformer
