// Marian: BART's encoder and decoder without a norm of the embeddings, at sinusoidal positions with all sines
// before all cosines, and with SiLU in the MLPs of those that are published; the padding begins every text
// (Junczys-Dowmunt et al. 2018; Tiedemann and Thottingal 2020).
#include "core/io/formats/config_fields.h"
#include "core/io/formats/model_formats.h"
#include "core/model/positional/sinusoidal.h"

namespace glassformer {
namespace {

Result<ModelConfig> marianConfig(ConfigFields& fields) {
  ModelConfig config = fields.likeBart();
  config.positions = &sinusoidalHalvesPositions();
  if (config.decoderStartToken < 0)
    config.decoderStartToken = fields.token("pad_token_id", config.vocabulary - 1);
  fields.mustBe("static_position_embeddings", true), fields.mustBe("normalize_embedding", false);
  fields.mustBe("share_encoder_decoder_embeddings", true);
  if (fields.size("decoder_vocab_size", config.vocabulary) != config.vocabulary)
    fields.refuse("decoder_vocab_size", "is not vocab_size; encoder and decoder have one vocabulary here");
  fields.changeNothing({"extra_pos_embeddings", "force_bos_token_to_be_generated"});  // BART's, left over
  return fields.finish(config);
}

}  // namespace

const ModelFormat& marianFormat() {
  static const ModelFormat format = [] {
    ModelFormat marian = bartFormat();
    marian.name = "Marian", marian.types = {"marian"}, marian.config = marianConfig;
    marian.rowsBefore = nullptr;
    marian.signs = {}, marian.special = {}, marian.pieceSigns = {{}, {"</s>"}};
    return marian;
  }();
  return format;
}

}  // namespace glassformer
