#include "core/lens/rule_context.h"

#include <cctype>

namespace glassformer {
namespace {

// A character that words are written with; whatever lies beyond ASCII counts as one.
bool isWordByte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '\'' || c == '_' || (c & 0x80) != 0;
}

bool isSpaceByte(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// The tokens that a word is written with: each goes on where the one before it ended inside a word.
void joinWords(const std::vector<std::string>& written, SpokenTokens& spoken) {
  for (std::size_t i = 0; i < written.size();) {
    std::size_t end = i + 1;
    std::string word = written[i];
    while (end < written.size() && !word.empty() && isWordByte(word.back()) && !written[end].empty() &&
           isWordByte(written[end].front()))
      word += written[end++];
    spoken.words.insert(spoken.words.end(), end - i, comparableWord(word));
    i = end;
  }
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && isSpaceByte(text.front())) text.remove_prefix(1);
  while (!text.empty() && isSpaceByte(text.back())) text.remove_suffix(1);
  return text;
}

std::string comparableWord(std::string_view text) {
  std::string word(trimmed(text));
  for (char& c : word)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return word;
}

SpokenTokens spokenBy(const Wording& wording, std::span<const int> ids) {
  SpokenTokens spoken;
  std::vector<std::string> written;
  for (const int id : ids) {
    spoken.ids.push_back(id);
    written.push_back(wording.written(id));
    spoken.texts.push_back(comparableWord(written.back()));
  }
  joinWords(written, spoken);
  return spoken;
}

bool RuleContext::hasChoice(int t) const {
  int seen = 0;
  for (int s = 0; s < keyCount() && seen < 2; ++s) seen += sees(t, s) ? 1 : 0;
  return seen > 1;
}

RuleContext lookedOver(const Wording& wording, const ModelConfig& config, AttentionSite site,
                       std::span<const int> tokens, std::span<const int> source) {
  const auto of = [&](Stream stream) {
    return spokenBy(wording, stream == Stream::Source ? source : tokens);
  };
  RuleContext over{of(queriesOf(site)), of(keysOf(site)), site == AttentionSite::Cross, config.mask};
  if (site == AttentionSite::Encoder) over.mask = {MaskKind::None, 0, {}};
  return over;
}

}  // namespace glassformer
