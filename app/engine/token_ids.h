#pragma once
#include <string>
#include <vector>

#include "core/model/config.h"
#include "core/result.h"
#include "core/text/id_list.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// The token that adds exactly these bytes to a text, " dog"; refuses them where no token does.
Result<int> tokenWritten(const std::string& written, const Tokenizer& tokenizer, const std::string& where);
/// Refuses tokens that were added to the tokenizer and have no row in the model's table.
Status checkRows(const std::vector<int>& ids, const Tokenizer& tokenizer, const ModelConfig& config,
                 const std::string& where);
/// Refuses more than the model takes, and ids that it does not have.
Status checkTokens(const std::vector<int>& tokens, const ModelConfig& config, const std::string& where);

}  // namespace glassformer
