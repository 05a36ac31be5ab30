#include "app/engine/token_ids.h"

#include "core/text/utf8.h"

namespace glassformer {

namespace {

// The token that adds these bytes to a text; -1: there is none.
int idWritten(const Tokenizer& tokenizer, const std::string& bytes) {
  for (int id = 0; id < tokenizer.vocabularySize(); ++id)
    if (tokenizer.writtenBehind(id) == bytes) return id;
  return -1;
}

}  // namespace

Status checkTokens(const std::vector<int>& tokens, const ModelConfig& config, const std::string& where) {
  if (static_cast<int>(tokens.size()) > config.context)
    return Error{std::to_string(tokens.size()) + " tokens", where,
                 "this model takes at most " + std::to_string(config.context)};
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (tokens[i] < 0 || tokens[i] >= config.vocabulary)
      return Error{
          "token " + std::to_string(tokens[i]) + " at index " + std::to_string(i) + " does not exist", where,
          "ids go from 0 to " + std::to_string(config.vocabulary - 1)};
  return success();
}

Status checkRows(const std::vector<int>& ids, const Tokenizer& tokenizer, const ModelConfig& config,
                 const std::string& where) {
  for (const int id : ids)
    if (id >= config.vocabulary)
      return Error{
          "the token " + inQuotes(tokenizer.tokenBytes(id)) + " has no row in the model's table", where,
          "it was added to the tokenizer; the model has " + std::to_string(config.vocabulary) + " rows"};
  return success();
}

Result<int> tokenWritten(const std::string& written, const Tokenizer& tokenizer, const std::string& where) {
  const int id = idWritten(tokenizer, written);
  if (id < 0)
    return Error{"no token is written " + inQuotes(written), where, "glassformer tokenize lists them"};
  return id;
}

}  // namespace glassformer
