#include "core/text/words.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/text/pre_tokenizer.h"
#include "core/text/utf8.h"
#include "core/text/word_level_file.h"

namespace glassformer {

namespace {

bool isMarkAt(std::string_view text, std::size_t at) {
  const CodePoint point = codePointAt(text, at);
  return point.valid && isPunctuation(point.value);
}

std::size_t skipSpaces(std::string_view text, std::size_t at) {
  while (at < text.size() && isWhiteSpaceAt(text, at)) at = nextCharacter(text, at);
  return at;
}

// Where the word or mark that begins at `at` ends.
std::size_t wordEnd(std::string_view text, std::size_t at) {
  if (isMarkAt(text, at)) return nextCharacter(text, at);
  while (at < text.size() && !isWhiteSpaceAt(text, at) && !isMarkAt(text, at)) at = nextCharacter(text, at);
  return at;
}

const nlohmann::json& wordSplitter() {
  static const nlohmann::json splitter = {{"type", "BertPreTokenizer"}};
  return splitter;
}

}  // namespace

Result<Words> Words::create(std::vector<std::string> tokens) {
  Words words;
  if (Status status = words.setTokens(std::move(tokens)); !status) return status.error();
  if (Status status = words.setUnknown(); !status) return status.error();
  return words;
}

const TokenizerKind& Words::kind() const { return wordTokenizer(); }

std::string Words::writtenBehind(int id) const {
  const std::string& word = tokenBytes(id);
  const bool isMark = isMarkAt(word, 0) && nextCharacter(word, 0) == word.size();
  return isMark || id == endOfText() ? word : " " + word;
}

std::string Words::decode(std::span<const int> ids) const {
  std::string text = Tokenizer::decode(ids);
  if (text.starts_with(' ')) text.erase(0, 1);
  return text;
}

void Words::appendTokens(std::string_view text, std::size_t offset, Tokenization& tokens) const {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = skipSpaces(text, at);
    const std::size_t end = begin < text.size() ? wordEnd(text, begin) : begin;
    const int stop = static_cast<int>(offset + end);
    const int id = find(text.substr(begin, end - begin));
    if (begin == text.size() && !tokens.empty())
      tokens.back().end = stop;
    else
      tokens.push_back({id < 0 ? unknown() : id, static_cast<int>(offset + at), stop});
    at = end;
  }
}

const TokenizerKind& wordTokenizer() {
  static const TokenizerKind kind{
      "words", "Words", "words and punctuation marks; what is not in the vocabulary is <unk>",
      [](std::string_view json, std::string_view name) {
        return readWordLevel<Words>(json, name, wordSplitter());
      },
      [](const Tokenizer& words) { return writeWordLevelFile(words, wordSplitter(), nullptr); }};
  return kind;
}

}  // namespace glassformer
