#pragma once
#include <string>
#include <vector>

#include "core/result.h"

namespace glassformer {

/// The ids of "12,7,300"; `where` is for messages.
Result<std::vector<int>> parsedTokens(const std::string& list, const std::string& where);
/// "12,7,300".
std::string joined(const std::vector<int>& tokens);

}  // namespace glassformer
