// Gemma, the first: as Llama, with a GELU gate, embeddings times √D, and norms that multiply by 1 + w (Gemma
// Team 2024).
#include "core/io/formats/config_fields.h"
#include "core/io/formats/model_formats.h"

namespace glassformer {
namespace {

Result<ModelConfig> gemmaConfig(const nlohmann::json& file, std::string_view name) {
  ConfigFields fields(file, name);
  ModelConfig config = fields.likeLlama(256);
  config.activation = Activation::GeGlu;
  config.scaledEmbedding = true;
  config.tiedUnembedding = fields.flag("tie_word_embeddings", true);
  config.biases = Biases::None;
  fields.mustBe("attention_bias", false);
  // Files of the first days say "gelu", and mean its approximation all the same.
  const std::string gate =
      fields.text(fields.has("hidden_activation") ? "hidden_activation" : "hidden_act", "gelu_pytorch_tanh");
  if (gate != "gelu_pytorch_tanh" && gate != "gelu_new" && gate != "gelu")
    fields.refuse("hidden_activation", "is \"" + gate + "\"; the gate of the MLP here is gelu_pytorch_tanh");
  return fields.finish(config);
}

}  // namespace

const ModelFormat& gemmaFormat() {
  static const ModelFormat format = [] {
    ModelFormat gemma = llamaFormat();  // tensors are called the same
    gemma.name = "Gemma", gemma.types = {"gemma"}, gemma.config = gemmaConfig;
    gemma.normsFromOne = true;
    return gemma;
  }();
  return format;
}

}  // namespace glassformer
