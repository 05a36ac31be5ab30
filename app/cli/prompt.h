#pragma once
#include <string>
#include <vector>

#include "core/model/config.h"
#include "core/result.h"
#include "core/text/byte_pair_encoding.h"

namespace glassformer {

/// The tokens of a text a command is to read; refuses an empty one and one that the model's context cannot
/// hold.
Result<std::vector<int>> promptTokens(const BytePairEncoding& tokenizer, const ModelConfig& config,
                                      const std::string& text);

}  // namespace glassformer
