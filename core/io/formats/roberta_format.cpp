// RoBERTa: BERT with byte pairs, one type of tokens, and positions that are counted from behind the
// padding's.
#include "core/io/formats/bert_fields.h"
#include "core/io/formats/model_formats.h"

namespace glassformer {
namespace {

// The padding's own row, and all before it, stand before the first token's.
int rowsBefore(ConfigFields& fields) { return fields.token("pad_token_id", 1) + 1; }

Result<ModelConfig> robertaConfig(ConfigFields& fields) {
  const int rows = fields.size("max_position_embeddings"), before = rowsBefore(fields);
  if (rows <= before)
    fields.refuse("max_position_embeddings", "is " + std::to_string(rows) + ", but the first " +
                                                 std::to_string(before) + " are the padding's");
  auto config = bertLikeConfig(fields);
  if (!config) return config.error();
  if (config->activation != Activation::Gelu)
    fields.refuse("hidden_act", "is not gelu, which the head of a RoBERTa has in any case");
  config->context = rows - before;
  return fields.finish(*config);
}

}  // namespace

const ModelFormat& robertaFormat() {
  static const ModelFormat format{
      .name = "RoBERTa",
      .types = {"roberta"},
      .config = robertaConfig,
      .prefixes = {"", "roberta."},
      .layers = "encoder.layer.",
      .inBlock = bertBlockNames(),
      .outside = behindBertEmbeddings({{"head.c_fc", {"lm_head.dense"}},
                                       {"head.ln_head", {"lm_head.layer_norm"}},
                                       {"lm_head", {"lm_head.decoder"}},
                                       {"lm_head.bias", {"lm_head.bias"}}}),
      .otherEndings = {{"LayerNorm.weight", "LayerNorm.gamma"},
                       {"LayerNorm.bias", "LayerNorm.beta"},
                       {"lm_head.bias", "lm_head.decoder.bias"}},
      .head = "lm_head.dense.weight",
      .rowsBefore = rowsBefore,
      .signs = {{"<s>"}, {"</s>"}},
      .special = {"<s>", "<pad>", "</s>", "<unk>", "<mask>"},
  };
  return format;
}

}  // namespace glassformer
