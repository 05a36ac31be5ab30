// BERT: an encoder whose norms come after the sums, and a head of its own that predicts masked words.
#include "core/io/formats/bert_fields.h"
#include "core/io/formats/model_formats.h"

namespace glassformer {
const ModelFormat& bertFormat() {
  static const ModelFormat format{
      .name = "BERT",
      .types = {"bert"},
      .config = bertLikeConfig,
      .prefixes = {"", "bert."},
      .layers = "encoder.layer.",
      .inBlock = bertBlockNames(),
      .outside = behindBertEmbeddings({{"head.c_fc", {"cls.predictions.transform.dense"}},
                                       {"head.ln_head", {"cls.predictions.transform.LayerNorm"}},
                                       {"lm_head", {"cls.predictions.decoder"}},
                                       {"lm_head.bias", {"cls.predictions.bias"}}}),
      .otherEndings = {{"LayerNorm.weight", "LayerNorm.gamma"},
                       {"LayerNorm.bias", "LayerNorm.beta"},
                       {"predictions.bias", "predictions.decoder.bias"}},
      .head = "cls.predictions.transform.dense.weight",
      .endsSeparate = true,
  };
  return format;
}

}  // namespace glassformer
