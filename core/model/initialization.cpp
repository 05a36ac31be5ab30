#include "core/model/initialization.h"

#include <cassert>
#include <cmath>
#include <string_view>

#include "core/model/head_slices.h"
#include "core/model/positional/sinusoidal.h"
#include "core/random.h"

namespace glassformer {
namespace {

float standardDeviation(const ModelConfig& config, const ParameterSpec& spec, const InitialScale& scale) {
  const std::string_view name = spec.name;
  if (name == "wte.weight") return scale.embedding;
  if (name.ends_with("wpe.weight") || name.ends_with("wtt.weight")) return scale.position;
  const float weight = scale.weight > 0 ? scale.weight : 1 / std::sqrt(static_cast<float>(spec.extent[0]));
  if (name == "lm_head.weight" || name == "score.weight")
    return 1 / std::sqrt(static_cast<float>(spec.extent[1]));
  const bool convolves = name.ends_with("c_taps.weight") || name.ends_with("c_depthwise.weight");
  const bool adds = name.ends_with("c_proj.weight") ||
                    (convolves && config.filters != Filters::Bottleneck && !config.oneResidual);
  const float taps = name.ends_with("c_taps.weight") ? static_cast<float>(config.kernelWidth) : 1;
  const int blocks = name.starts_with("encoder.") ? config.encoderBlocks() : config.layers;
  const float sublayers = adds && config.residual ? 2.f * static_cast<float>(blocks) : 1;
  return weight / std::sqrt(taps * sublayers);
}

}  // namespace

void initialize(const ModelConfig& config, Parameters& parameters, const InitialScale& scale,
                std::uint64_t seed, const ProgressCallback& watch) {
  assert(!parameters.values().empty());
  for (int i = 0; i < parameters.count(); ++i) {
    watch(i, parameters.count());
    const ParameterSpec& spec = parameters.spec(i);
    float* values = parameters.values().data() + parameters.offset(i);
    const auto n = parameters.view(i).size();
    if (spec.name.ends_with("wpe.weight") && scale.sinusoidalStart) {
      const Tensor table = sinusoids(config.context, {.width = config.width});
      const float factor = scale.position * std::sqrt(2.f);  // a sinusoid's own deviation is 1/√2
      for (std::int64_t j = 0; j < n; ++j) values[j] = factor * table.values()[static_cast<std::size_t>(j)];
    } else if (spec.extent.size() == 2) {
      Random random(mix(seed) + static_cast<std::uint64_t>(i));
      const float deviation = standardDeviation(config, spec, scale);
      for (std::int64_t j = 0; j < n; ++j) values[j] = deviation * static_cast<float>(random.normal());
    } else {
      const bool gamma = spec.name.ends_with(".weight");
      for (std::int64_t j = 0; j < n; ++j) values[j] = gamma ? 1.f : 0.f;
    }
  }
  makeHeadsAlike(config, parameters, scale.equalHeads);
}

}  // namespace glassformer
