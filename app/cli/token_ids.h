#pragma once
#include <string>
#include <vector>

#include "core/model/config.h"
#include "core/result.h"

namespace glassformer {

/// "12,7,300"; `where` is for messages.
Result<std::vector<int>> parsedTokens(const std::string& list, const std::string& where);
/// "12,7,300".
std::string joined(const std::vector<int>& tokens);
/// Refuses more than the model takes, and ids that it does not have.
Status checkTokens(const std::vector<int>& tokens, const ModelConfig& config, const std::string& where);

}  // namespace glassformer
