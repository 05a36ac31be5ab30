#include "core/text/characters.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/text/tokenizer_file.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

const std::shared_ptr<const TextPipeline>& characterPipeline() {
  static const auto pipeline =
      std::make_shared<const TextPipeline>(TextPipeline::of({{"pre_tokenizer",
                                                              {{"type", "Split"},
                                                               {"pattern", {{"Regex", "[\\s\\S]"}}},
                                                               {"behavior", "Isolated"},
                                                               {"invert", false}}},
                                                             {"decoder", {{"type", "Fuse"}}}}));
  return pipeline;
}

}  // namespace

Result<Characters> Characters::create(std::vector<std::string> tokens) {
  Characters characters;
  if (Status status = characters.setAll(std::move(tokens), characterPipeline()); !status)
    return status.error();
  for (int id = 0; id < characters.vocabularySize(); ++id) {
    const std::string& token = characters.tokenBytes(id);
    if (!characters.isSpecial(id) && nextCharacter(token, 0) != token.size())
      return Error{"the token " + inQuotes(token) + " is more than one character", "tokens", ""};
  }
  return characters;
}

const TokenizerKind& Characters::kind() const { return characterTokenizerKind(); }

const TokenizerKind& characterTokenizerKind() {
  static const TokenizerKind kind{"characters", "Characters", "single characters; unknown ones are <unk>",
                                  [](TokenizerFile& file) -> Result<std::shared_ptr<const Tokenizer>> {
                                    auto characters = wordsIn(file, *characterPipeline());
                                    if (!characters) return characters.error();
                                    if (characters->empty()) return std::shared_ptr<const Tokenizer>();
                                    return readAs(Characters::create(*std::move(characters)), file.model);
                                  },
                                  wordLevelModel};
  return kind;
}

}  // namespace glassformer
