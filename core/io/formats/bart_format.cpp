// BART: an encoder and a decoder with norms behind the sums, that of the embeddings included, learned
// positions that are counted from 2, and a bias for every token's logit (Lewis et al. 2020).
#include "core/io/formats/config_fields.h"
#include "core/io/formats/model_formats.h"

namespace glassformer {
namespace {

// Of both stacks, which are alike here.
int sizeOfBoth(ConfigFields& fields, const std::string& what) {
  const std::string encoder = "encoder_" + what, decoder = "decoder_" + what;
  const int size = fields.size(encoder.c_str());
  if (fields.size(decoder.c_str(), size) != size)
    fields.refuse(decoder.c_str(), "is not " + encoder + "; encoder and decoder are alike here");
  return size;
}

Result<ModelConfig> bartConfig(const nlohmann::json& file, std::string_view name) {
  ConfigFields fields(file, name);
  ModelConfig config;
  config.stack = Stack::EncoderDecoder;
  config.layers = sizeOfBoth(fields, "layers"), config.heads = sizeOfBoth(fields, "attention_heads");
  config.feedForward = sizeOfBoth(fields, "ffn_dim"), config.width = fields.size("d_model");
  config.vocabulary = fields.size("vocab_size");
  config.context = fields.size("max_position_embeddings", 1024);
  config.activation = fields.activation("activation_function", "gelu");
  config.normPlacement = NormPlacement::Post, config.finalNorm = false;
  config.normedEmbedding = config.unembeddingBias = true;
  config.scaledEmbedding = fields.flag("scale_embedding", false);
  config.tiedUnembedding = fields.flag("tie_word_embeddings", true);
  config.firstToken = fields.token("decoder_start_token_id", 2);
  fields.mustBe("normalize_before", false), fields.mustBe("add_final_layer_norm", false);
  fields.mustBe("static_position_embeddings", false), fields.mustBe("normalize_embedding", true);
  return fields.finish(config);
}

std::vector<StoredNames> blockNamesOfBart(bool crosses) {
  std::vector<StoredNames> names{
      {"attn.c_attn", {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"}},
      {"attn.c_proj", {"self_attn.out_proj"}},
      {"ln_1", {"self_attn_layer_norm"}},
      {"mlp.c_fc", {"fc1"}},
      {"mlp.c_proj", {"fc2"}},
      {"ln_2", {"final_layer_norm"}}};
  if (!crosses) return names;
  names.push_back({"crossattention.q_attn", {"encoder_attn.q_proj"}});
  names.push_back({"crossattention.c_attn", {"encoder_attn.k_proj", "encoder_attn.v_proj"}});
  names.push_back({"crossattention.c_proj", {"encoder_attn.out_proj"}});
  names.push_back({"ln_cross_attn", {"encoder_attn_layer_norm"}});
  return names;
}

}  // namespace

const ModelFormat& bartFormat() {
  static const ModelFormat format{
      .name = "BART",
      .types = {"bart"},
      .config = bartConfig,
      .prefixes = {"", "model."},
      .layers = "decoder.layers.",
      .inBlock = blockNamesOfBart(true),
      .outside = {{"wte", {"shared"}},
                  {"wpe", {"decoder.embed_positions"}},
                  {"ln_embed", {"decoder.layernorm_embedding"}},
                  {"encoder.wpe", {"encoder.embed_positions"}},
                  {"encoder.ln_embed", {"encoder.layernorm_embedding"}},
                  {"lm_head.bias", {"final_logits_bias"}}},
      .encoderLayers = "encoder.layers.",
      .inEncoder = blockNamesOfBart(false),
      .rowsBefore = [](const nlohmann::json&) { return 2; },  // of the padding, and one more
      .signs = {"<s>", "</s>"},
      .special = {"<s>", "<pad>", "</s>", "<unk>", "<mask>"},
  };
  return format;
}

}  // namespace glassformer
