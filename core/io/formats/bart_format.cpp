// BART: an encoder and a decoder with norms behind the sums, that of the embeddings included, learned
// positions that are counted from 2, and a bias for every token's logit (Lewis et al. 2020).
#include "core/io/formats/config_fields.h"
#include "core/io/formats/model_formats.h"

namespace glassformer {
namespace {

constexpr int positionsBefore = 2;  // of the padding, and one more

Result<ModelConfig> bartConfig(ConfigFields& fields) {
  ModelConfig config = fields.likeBart();
  config.normedEmbedding = true;
  if (config.decoderStartToken < 0) config.decoderStartToken = 2;
  // What forced_bos_token_id was called before.
  if (fields.flag("force_bos_token_to_be_generated", false) && config.forcedBosToken < 0)
    config.forcedBosToken = fields.token("bos_token_id", 0);
  fields.mustBe("static_position_embeddings", false), fields.mustBe("normalize_embedding", true);
  if (fields.size("extra_pos_embeddings", positionsBefore) != positionsBefore)
    fields.refuse("extra_pos_embeddings", "is not 2, from which positions are counted here");
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
      .rowsBefore = [](ConfigFields&) { return positionsBefore; },
      .signs = {{"<s>"}, {"</s>"}},
      .special = {"<s>", "<pad>", "</s>", "<unk>", "<mask>"},
  };
  return format;
}

}  // namespace glassformer
