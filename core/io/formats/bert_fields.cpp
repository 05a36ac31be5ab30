#include "core/io/formats/bert_fields.h"

namespace glassformer {

ModelConfig asBert(ModelConfig config) {
  config.stack = Stack::EncoderOnly;
  config.mask = {MaskKind::None, 0, {}};
  config.normPlacement = NormPlacement::Post, config.finalNorm = false;
  config.normedEmbedding = config.headTransform = config.unembeddingBias = true;
  return config;
}

Result<ModelConfig> bertLikeConfig(ConfigFields& fields) {
  ModelConfig config = fields.sizes();
  config.tokenTypes = fields.size("type_vocab_size", 2);
  config.activation = fields.activation("hidden_act", "gelu");
  config.normEpsilon = static_cast<float>(fields.number("layer_norm_eps", 1e-12));
  config.tiedUnembedding = fields.flag("tie_word_embeddings", true);
  if (const std::string positions = fields.text("position_embedding_type", "absolute");
      positions != "absolute")
    fields.refuse("position_embedding_type", "is \"" + positions + "\"; computed here is absolute");
  if (fields.flag("is_decoder", false))
    fields.refuse("is_decoder",
                  "is true; of this family encoders are computed here, which see the whole text");
  return fields.finish(asBert(config));
}

std::vector<StoredNames> bertBlockNames() {
  return {{"attn.c_attn", {"attention.self.query", "attention.self.key", "attention.self.value"}},
          {"attn.c_proj", {"attention.output.dense"}},
          {"ln_1", {"attention.output.LayerNorm"}},
          {"mlp.c_fc", {"intermediate.dense"}},
          {"mlp.c_proj", {"output.dense"}},
          {"ln_2", {"output.LayerNorm"}}};
}

std::vector<StoredNames> behindBertEmbeddings(std::initializer_list<StoredNames> head) {
  std::vector<StoredNames> names{{"wte", {"embeddings.word_embeddings"}},
                                 {"wpe", {"embeddings.position_embeddings"}},
                                 {"wtt", {"embeddings.token_type_embeddings"}},
                                 {"ln_embed", {"embeddings.LayerNorm"}}};
  names.insert(names.end(), head);
  return names;
}

}  // namespace glassformer
