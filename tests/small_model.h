#pragma once
#include <memory>

#include "app/engine/engine.h"
#include "core/model/initialization.h"
#include "core/text/byte_pair_training.h"

namespace glassformer {

/// A model on a vocabulary learned from a few sentences, with random weights that are always the same.
inline LoadedModel makeSmallModel(const std::string& name, int layers = 2, int heads = 4, int context = 64) {
  const std::string corpus =
      "The animal didn't cross the street because it was too tired. The animal didn't cross the street "
      "because it was too wide. The cat sat on the mat because the mat was warm. The street was wide and the "
      "animal was tired.";
  auto tokenizer = std::make_shared<BytePairEncoding>(trainBytePairEncoding(corpus, 320));
  ModelConfig config;
  config.layers = layers, config.heads = heads, config.width = 8 * heads, config.feedForward = 64;
  config.context = context;
  config.vocabulary = tokenizer->vocabularySize();
  Parameters parameters(parameterSpecs(config));
  initialize(config, parameters, InitialScale{}, 7);
  return {name, std::make_shared<const Transformer>(config, std::move(parameters)), std::move(tokenizer)};
}

}  // namespace glassformer
