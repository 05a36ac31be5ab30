#pragma once
#include <utility>
#include <vector>

#include "core/model/choices.h"

namespace glassformer {

// The parts that configChoices() is put together from, each in the order of a forward pass.

std::vector<ConfigChoice> stackChoices();        ///< what is read and written, and what embeddings are
std::vector<ConfigChoice> positionChoices();     ///< how the model knows where a token stands
std::vector<ConfigChoice> normChoices();         ///< where norms stand, and whether there is a residual
std::vector<ConfigChoice> mixingChoices();       ///< attention, or what stands in its place
std::vector<ConfigChoice> attentionChoices();    ///< of models that attend
std::vector<ConfigChoice> feedForwardChoices();  ///< the MLP, and biases
std::vector<ConfigChoice> endChoices();          ///< the unembedding

/// A choice whose options are the values of one field, in their order.
template <typename Field>
ConfigChoice choice(Field ModelConfig::*field, ConfigChoice made) {
  made.get = [field](const ModelConfig& config) { return static_cast<int>(config.*field); };
  made.set = [field](ModelConfig& config, int option) { config.*field = static_cast<Field>(option); };
  return made;
}

inline ConfigChoice flag(bool ModelConfig::*field, ConfigChoice made) {
  made.flag = true;
  return choice(field, std::move(made));
}

}  // namespace glassformer
