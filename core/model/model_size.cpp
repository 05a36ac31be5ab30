#include "core/model/model_size.h"

#include "core/model/parameters.h"

namespace glassformer {
namespace {

using Count = std::int64_t;

// scores q · kᵀ and readout A · v, of a query and a key.
Count attending(const ModelConfig& config, bool across) {
  const AttentionColumns columns = crossAttentionColumns(config);
  const bool compares = across || config.kernel != AttentionKernel::Distance;
  const Count width = config.readout == Readout::Rows ? config.width : columns.value / config.valueHeads(),
              handedOn = width * config.heads;
  return (compares ? config.width : 0) + handedOn;
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

MultiplyAdds multiplyAddsOf(const ModelConfig& config) {
  MultiplyAdds adds;
  // The unembedding, and the head for classes.
  adds.perToken = static_cast<Count>(config.width) * (config.vocabulary + config.classes);
  for (const ParameterSpec& spec : parameterSpecs(config)) {
    const bool projects = spec.extent.size() == 2 && spec.name.ends_with("weight") && !isTable(spec.name);
    if (!projects) continue;
    const bool ofSource =
        spec.name.starts_with("encoder.") || spec.name.find("crossattention.c_attn") != std::string::npos;
    const bool ofStates = spec.name.ends_with("c_state.weight");  // the first has none before it
    (ofSource   ? adds.perSourceToken
     : ofStates ? adds.perState
                : adds.perToken) += static_cast<Count>(spec.extent[0]) * spec.extent[1];
  }
  if (!config.hasAttention()) return adds;
  adds.perPair = config.layers * attending(config, false);
  if (!config.isEncoderDecoder()) return adds;
  adds.perSourcePair = config.encoderBlocks() * attending(config, false);
  adds.perCrossPair = config.layers * attending(config, true);
  return adds;
}

Count multiplyAdds(const ModelConfig& config, int T, int S) { return multiplyAddsOf(config).over(T, S); }

}  // namespace glassformer
