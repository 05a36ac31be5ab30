#include "core/lens/neuron_examples.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/model/point_names.h"

namespace glassformer {
namespace {

std::array<float, NeuronExamples::window> aroundToken(const TensorView& activations, int neuron, int token) {
  std::array<float, NeuronExamples::window> around{};
  for (int i = 0; i < NeuronExamples::window; ++i) {
    const int t = token - NeuronExamples::before + i;
    const bool isThere = t >= 0 && t < activations.extent[0];
    around[static_cast<std::size_t>(i)] =
        isThere ? activations(t, neuron) : std::numeric_limits<float>::quiet_NaN();
  }
  return around;
}

}  // namespace

NeuronExamples::NeuronExamples(const ModelConfig& config)
    : config_(config),
      streams_(config.isEncoderDecoder() ? std::vector{Stream::Text, Stream::Source}
                                         : std::vector{Stream::Text}),
      best_(config.hasFeedForward()
                ? static_cast<std::size_t>(config.layers +
                                           (config.isEncoderDecoder() ? config.encoderBlocks() : 0)) *
                      static_cast<std::size_t>(config.feedForward)
                : 0) {}

std::size_t NeuronExamples::placeOf(const NeuronId& id) const {
  const std::size_t stack = id.stream == Stream::Source ? static_cast<std::size_t>(config_.layers) : 0;
  return (stack + static_cast<std::size_t>(id.layer)) * static_cast<std::size_t>(config_.feedForward) +
         static_cast<std::size_t>(id.neuron);
}

void NeuronExamples::add(const Trace& trace, int text) {
  if (best_.empty()) return;
  for (const Stream stream : streams_)
    for (int layer = 0; layer < blocksOf(config_, stream); ++layer) {
      const TensorView a = trace[neuronPoint(config_, layer, stream)];
      for (int f = 0; f < config_.feedForward; ++f) insert(best_[placeOf({layer, f, stream})], a, f, text);
    }
}

void NeuronExamples::insert(Best& best, const TensorView& activations, int neuron, int text) {
  int token = 0;
  for (int t = 1; t < activations.extent[0]; ++t)
    if (std::abs(activations(t, neuron)) > std::abs(activations(token, neuron))) token = t;
  const float activation = activations(token, neuron);
  const auto place = std::ranges::find_if(best, [&](const Example& other) {
    return other.text < 0 || std::abs(activation) > std::abs(other.activation);
  });
  if (place == best.end()) return;
  std::move_backward(place, best.end() - 1, best.end());
  *place = {text, token, activation, aroundToken(activations, neuron, token)};
}

std::vector<NeuronExamples::Example> NeuronExamples::of(const NeuronId& id) const {
  std::vector<Example> found;
  if (best_.empty()) return found;
  for (const Example& example : best_[placeOf(id)])
    if (example.text >= 0) found.push_back(example);
  return found;
}

}  // namespace glassformer
