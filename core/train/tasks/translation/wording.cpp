#include "core/train/tasks/translation/wording.h"

#include <algorithm>
#include <cctype>

namespace glassformer::translation {
namespace {

// Calls `use` with each part of a text between two separators.
template <typename Use>
void split(std::string_view text, char separator, Use use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

void Wording::say(std::string_view word, Meanings meanings) {
  if (comma_) result_.text += ',';
  comma_ = false;
  if (!result_.text.empty()) result_.text += ' ';
  const std::size_t begin = result_.text.size();
  result_.text += word;
  result_.words.push_back({begin, result_.text.size()});
  result_.meanings.push_back(meanings);
}

void Wording::sayAll(std::string_view words, Meanings meanings) {
  split(words, ' ', [&](std::string_view word) { say(word, meanings); });
}

void Wording::sayPieces(std::string_view pieces, Meanings meanings) {
  split(pieces, '|', [&](std::string_view piece) {
    sayAll(piece, meanings);
    meanings <<= 1;
  });
}

Text Wording::finish(char sign) && {
  result_.text += sign;
  result_.text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(result_.text[0])));
  return std::move(result_);
}

}  // namespace glassformer::translation
