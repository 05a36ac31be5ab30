#include "core/lens/serial_steps.h"

#include <algorithm>

#include "core/lens/path_length.h"

namespace glassformer {
namespace {

// When the states of a block are there, by when those of the block before are, and the memory across.
std::vector<float> oneBlockLater(const ModelConfig& config, const std::vector<float>& before, float memory) {
  const auto T = static_cast<int>(before.size());
  std::vector<float> after;
  for (int t = 0; t < T; ++t) {
    float latest = memory;
    if (config.mixing == Mixing::Recurrence)
      latest = std::max({latest, before[static_cast<std::size_t>(t)], t > 0 ? after.back() : 0});
    else
      for (int s = 0; s < T; ++s)
        if (stepsInBlock(config, t, s)) latest = std::max(latest, before[static_cast<std::size_t>(s)]);
    after.push_back(latest + 1);
  }
  return after;
}

// When each block of the encoder has all that is looked at across; nothing without a source.
std::vector<float> encoderSteps(const ModelConfig& config, int source) {
  std::vector<float> steps;
  std::vector<float> states(static_cast<std::size_t>(source), 0.f);
  for (int layer = 0; config.reads() && layer < config.encoderBlocks(); ++layer) {
    states = oneBlockLater(config.ofEncoderLayer(layer), states, 0);
    steps.push_back(states.empty() ? 0 : std::ranges::max(states));
  }
  return steps;
}

}  // namespace

void measureSerialSteps(const ModelConfig& config, int tokens, int source, TensorSet& measurements,
                        std::string_view suffix) {
  const std::vector<float> memory = encoderSteps(config, source);
  std::vector<float> states(static_cast<std::size_t>(tokens), 0.f);
  Tensor steps({config.layers, tokens});
  for (int layer = 0; layer < config.layers; ++layer) {
    const bool isSame = config.crossMemory == CrossMemory::SameLayer;
    const float waits = memory.empty() ? 0 : isSame ? memory[static_cast<std::size_t>(layer)] : memory.back();
    states = oneBlockLater(config.ofLayer(layer), states, waits);
    std::ranges::copy(states, &steps(layer, 0));
  }
  measurements.add(
      {"lens.serial_steps" + std::string(suffix), "LT",
       "the fewest steps in series until this state is there",
       config.mixing == Mixing::Recurrence ? "1 + the later of the state below and the one before"
                                           : "1 + the latest of the states below that it sees",
       Stream::Text, Stream::Text},
      std::move(steps));
}

}  // namespace glassformer
