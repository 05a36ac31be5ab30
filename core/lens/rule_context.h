#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/lens/detection_patterns.h"
#include "core/model/config.h"

namespace glassformer {

/// How the tokens of a model are written: whoever knows its tokenizer says it.
struct Wording {
  std::function<std::string(int id)> written;  ///< as it stands in a text, behind another one
};

/// Tokens and what they say, as attention rules compare it.
struct SpokenTokens {
  std::vector<int> ids;
  std::vector<std::string> texts;  ///< of each token, without spaces around it, in small letters
  std::vector<std::string> words;  ///< the whole word that it is a part of, likewise
};
SpokenTokens spokenBy(const Wording& wording, std::span<const int> ids);

/// What a rule is asked about: who looks, what there is to look at, and which of it the mask lets them
/// see.
struct RuleContext {
  SpokenTokens queries, keys;
  bool across = false;
  AttentionMask mask;  ///< inside a text

  int queryCount() const { return static_cast<int>(queries.ids.size()); }
  int keyCount() const { return static_cast<int>(keys.ids.size()); }
  bool sees(int t, int s) const { return across || mask.allows(t, s); }
  AttendedTokens tokens() const { return {queries.ids, keys.ids, across}; }
  /// Whether query t sees more than one key: else there is nothing to choose.
  bool hasChoice(int t) const;
};
/// What the attention of a site looks over in a text and its source.
RuleContext lookedOver(const Wording& wording, const ModelConfig& config, AttentionSite site,
                       std::span<const int> tokens, std::span<const int> source);

/// Without spaces around it.
std::string_view trimmed(std::string_view text);
/// As what is said is compared: without spaces around it, in small letters (those of ASCII).
std::string comparableWord(std::string_view text);

}  // namespace glassformer
