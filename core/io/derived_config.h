#pragma once
#include <string>

#include "core/io/safetensors.h"
#include "core/model/config.h"
#include "core/result.h"

namespace glassformer {

/// What the shapes of a pass's trace points say of the model that made it: L, H, K, D, F, V, which points a
/// block has, whether its attention looks ahead. Nothing else of it is meant: not which nonlinearity, norm or
/// positions it has. What no point tells is as small as it can be. Refuses, naming `file` and point, what
/// contradicts itself or is no pass at all.
Result<ModelConfig> derivedConfig(const StoredTensors& dump, const std::string& file, int tokens, int source);

/// The size of dimension `fromEnd` (1: the last) of the first tensor with such a part in its name; 0: there
/// is none.
int sizeOfPoint(const StoredTensors& dump, std::initializer_list<const char*> parts, int fromEnd);

/// Refuses sizes that no model has, and that nothing could be made ready for: by them a few bytes could take
/// all memory.
Status checkSizes(const ModelConfig& config, const std::string& file);

/// What is said of a file that is no pass at all.
Error noTracePoints(const std::string& file);

/// Whether any of the tensors has the name of a trace point, as far as names tell.
bool hasTracePoints(const StoredTensors& dump);

/// Below it a score is masked: others write −1e4, −1e9, the least float16 or float for minus infinity.
inline constexpr float maskedScore = -9999.0f;

}  // namespace glassformer
