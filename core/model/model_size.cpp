#include "core/model/model_size.h"

#include "core/model/parameters.h"

namespace glassformer {
namespace {

using Count = std::int64_t;

// scores q · kᵀ and readout A · v, of T queries and S keys.
Count attending(const ModelConfig& config, Count T, Count S, bool across) {
  const AttentionColumns columns = crossAttentionColumns(config);
  const bool compares = across || config.kernel != AttentionKernel::Distance;
  const Count width = config.readout == Readout::Rows ? config.width : columns.value / config.valueHeads(),
              handedOn = width * config.heads;
  return T * S * ((compares ? config.width : 0) + handedOn);
}

}  // namespace

Count parameterCount(const ModelConfig& config) {
  Count sum = 0;
  for (const ParameterSpec& spec : parameterSpecs(config)) {
    Count values = 1;
    for (const int extent : spec.extent) values *= extent;
    sum += values;
  }
  return sum;
}

Count multiplyAdds(const ModelConfig& config, int T, int S) {
  Count sum = static_cast<Count>(T) * config.width *
              (config.vocabulary + config.classes);  // the unembedding, and the head for classes
  for (const ParameterSpec& spec : parameterSpecs(config)) {
    const bool projects = spec.extent.size() == 2 && spec.name.ends_with("weight") && !isTable(spec.name);
    if (!projects) continue;
    const bool ofSource =
        spec.name.starts_with("encoder.") || spec.name.find("crossattention.c_attn") != std::string::npos;
    const bool ofStates = spec.name.ends_with("c_state.weight");  // the first has none before it
    sum += static_cast<Count>(ofSource ? S : ofStates ? T - 1 : T) * spec.extent[0] * spec.extent[1];
  }
  if (!config.attends()) return sum;
  const Count own = config.layers * attending(config, T, T, false);
  if (!config.reads()) return sum + own;
  return sum + own + config.encoderBlocks() * attending(config, S, S, false) +
         config.layers * attending(config, T, S, true);
}

}  // namespace glassformer
