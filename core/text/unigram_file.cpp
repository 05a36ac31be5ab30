#include "core/text/unigram_file.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/text/tokenizer_file.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

using UnigramJson = nlohmann::json;
using OrderedUnigramJson = nlohmann::ordered_json;

// Written as null, which only we do: of a token that no text is cut into.
constexpr float neverRead = -std::numeric_limits<float>::infinity();
constexpr const char* tokenlessField = "tokenless";  // of ours alone: see UnigramRules

/// Tokens and scores by id.
struct ScoredTokens {
  std::vector<std::string> tokens;
  std::vector<float> scores;
};

ScoredTokens readScored(JsonFields& model) {
  ScoredTokens scored;
  const UnigramJson& entries = model.any("vocab");
  if (!entries.is_array()) model.refuse("vocab", "is not a list of tokens with their log probabilities");
  for (const UnigramJson& entry : entries.is_array() ? entries : UnigramJson::array()) {
    const bool isPair = entry.is_array() && entry.size() == 2 && entry[0].is_string() &&
                        (entry[1].is_number() || entry[1].is_null());
    if (!isPair) {
      model.refuse("vocab", "has an entry other than a token with its log probability: " + shownJson(entry));
      return scored;
    }
    scored.tokens.push_back(entry[0].get<std::string>());
    scored.scores.push_back(entry[1].is_null() ? neverRead : entry[1].get<float>());
  }
  return scored;
}

// Tokens that only added_tokens lists.
Status addListed(const TokenizerFile& file, ScoredTokens& scored) {
  for (const auto& [token, content] : file.added) {
    const auto id = static_cast<std::size_t>(token.id);
    if (id >= scored.tokens.size()) scored.tokens.resize(id + 1), scored.scores.resize(id + 1);
    if (scored.tokens[id].empty()) scored.tokens[id] = content;
    if (scored.tokens[id] != content)
      return Error{"the id " + std::to_string(id) + " of " + inQuotes(content) + " is another token's",
                   "added_tokens", ""};
  }
  return success();
}

std::string readUnknown(JsonFields& model, const ScoredTokens& scored) {
  const UnigramJson& unknown = model.any("unk_id");
  if (unknown.is_number_unsigned() && unknown.get<std::uint64_t>() < scored.tokens.size())
    return scored.tokens[unknown.get<std::size_t>()];
  model.refuse("unk_id", "is " + shownJson(unknown) + ", which is not a token",
               "it replaces text without tokens");
  return "";
}

}  // namespace

Result<std::shared_ptr<const Tokenizer>> readUnigramFile(TokenizerFile& file) {
  if (file.type != "Unigram") return std::shared_ptr<const Tokenizer>();
  JsonFields& model = file.model;
  ScoredTokens scored = readScored(model);
  UnigramRules rules;
  rules.unknown = readUnknown(model, scored);
  rules.fallsBackToBytes = model.flag("byte_fallback", false);
  if (const UnigramJson& tokenless = model.any(tokenlessField); tokenless.is_object()) {
    rules.tokenless.emplace();
    for (const auto& [piece, score] : tokenless.items())
      if (score.is_number()) (*rules.tokenless)[piece] = score.get<float>();
  }
  model.keep(addListed(file, scored));
  if (Status status = model.done(); !status) return status.error();
  return readAs(Unigram::create(std::move(scored.tokens), std::move(scored.scores), std::move(rules),
                                file.addedTokens(), file.pipeline),
                model);
}

OrderedUnigramJson unigramModel(const Tokenizer& tokenizer) {
  const auto& unigram = static_cast<const Unigram&>(tokenizer);
  OrderedUnigramJson entries = OrderedUnigramJson::array();
  for (int id = 0; id < unigram.vocabularySize(); ++id) {
    const float score = unigram.score(id);
    entries.push_back(
        {unigram.written(id), score == neverRead ? OrderedUnigramJson() : OrderedUnigramJson(score)});
  }
  OrderedUnigramJson model{{"type", "Unigram"},
                           {"unk_id", unigram.unknown()},
                           {"vocab", std::move(entries)},
                           {"byte_fallback", unigram.rules().fallsBackToBytes}};
  if (!unigram.rules().tokenless) return model;
  OrderedUnigramJson& tokenless = model[tokenlessField] = OrderedUnigramJson::object();
  for (const auto& [piece, score] : *unigram.rules().tokenless) tokenless[piece] = score;
  return model;
}

}  // namespace glassformer
