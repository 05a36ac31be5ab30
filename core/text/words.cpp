#include "core/text/words.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/text/pre_tokenizer.h"
#include "core/text/tokenizer_file.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

bool isMarkAt(std::string_view text, std::size_t at) {
  const CodePoint point = codePointAt(text, at);
  return point.valid && isPunctuation(point.value);
}

const std::shared_ptr<const TextPipeline>& wordPipeline() {
  static const auto pipeline = std::make_shared<const TextPipeline>(
      TextPipeline::of({{"pre_tokenizer", {{"type", "BertPreTokenizer"}}}}));
  return pipeline;
}

}  // namespace

Result<Words> Words::create(std::vector<std::string> tokens) {
  Words words;
  if (Status status = words.setAll(std::move(tokens), wordPipeline()); !status) return status.error();
  return words;
}

const TokenizerKind& Words::kind() const { return wordTokenizer(); }

std::string Words::writtenBehind(int id) const {
  const std::string& word = tokenBytes(id);
  const bool isMark = isMarkAt(word, 0) && nextCharacter(word, 0) == word.size();
  return isMark || id == endOfText() ? word : " " + word;
}

std::string Words::decode(std::span<const int> ids) const {
  std::string text;
  for (const int id : ids) text += tokenBytes(id).empty() ? "" : writtenBehind(id);
  if (text.starts_with(' ')) text.erase(0, 1);
  return text;
}

// A text of white space alone is unknown.
void Words::appendTokens(std::string_view text, std::size_t offset, Tokenization& tokens) const {
  Tokenizer::appendTokens(text, offset, tokens);
  if (tokens.empty() && !text.empty())
    tokens.push_back({unknown(), static_cast<int>(offset), static_cast<int>(offset + text.size())});
}

const TokenizerKind& wordTokenizer() {
  static const TokenizerKind kind{"words", "Words", "words and punctuation marks; unknown ones are <unk>",
                                  [](TokenizerFile& file) -> Result<std::shared_ptr<const Tokenizer>> {
                                    auto words = wordsIn(file, *wordPipeline());
                                    if (!words) return words.error();
                                    if (words->empty()) return std::shared_ptr<const Tokenizer>();
                                    return readAs(Words::create(*std::move(words)), file.model);
                                  },
                                  wordLevelModel};
  return kind;
}

}  // namespace glassformer
