#include "app/cli/tokenize_command.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace glassformer {

Status TokenizeCommand::run(const ModelLibrary& library) const {
  const auto loaded = library.load(model);
  if (!loaded) return loaded.error();
  const Tokenizer& tokenizer = *loaded->tokenizer;
  nlohmann::json list = nlohmann::json::array();
  for (const Token& token : tokenizer.encode(text)) {
    const std::string label = tokenizer.tokenLabel(token.id);
    if (json)
      list.push_back({{"id", token.id}, {"label", label}, {"begin", token.begin}, {"end", token.end}});
    else
      std::printf("%6d  %s\n", token.id, label.c_str());
  }
  if (json) std::printf("%s\n", list.dump(2).c_str());
  return success();
}

}  // namespace glassformer
