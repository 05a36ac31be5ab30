#include "app/cli/prompt.h"

namespace glassformer {

Result<std::vector<int>> promptTokens(const BytePairEncoding& tokenizer, const ModelConfig& config,
                                      const std::string& text) {
  if (text.empty()) return Error{"the text is empty", "--text", "give at least one word"};
  std::vector<int> tokens = tokenizer.encodeIds(text);
  if (static_cast<int>(tokens.size()) > config.context)
    return Error{"the text has " + std::to_string(tokens.size()) + " tokens", "--text",
                 "this model takes at most " + std::to_string(config.context)};
  return tokens;
}

}  // namespace glassformer
