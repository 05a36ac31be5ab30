#include "core/text/token_names.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/text/text_pipeline.h"

namespace glassformer {

TokenNames::TokenNames(int vocabulary, const std::map<int, std::string>& names) {
  std::vector<std::string> tokens;
  for (int id = 0; id < vocabulary; ++id) {
    const auto named = names.find(id);
    tokens.push_back(named == names.end() || named->second.empty() ? numberOf(id) : named->second);
  }
  static const auto pipeline =
      std::make_shared<const TextPipeline>(TextPipeline::of({{"decoder", {{"type", "Fuse"}}}}));
  nameTokens(std::move(tokens), pipeline);
}

const TokenizerKind& TokenNames::kind() const {
  static const TokenizerKind names{"names", "Names", "properties of tokens that another program read",
                                   nullptr, nullptr};
  return names;
}

}  // namespace glassformer
