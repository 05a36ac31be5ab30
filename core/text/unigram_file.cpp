#include "core/text/unigram_file.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/text/added_tokens_file.h"
#include "core/text/base64.h"
#include "core/text/json_text.h"
#include "core/text/piece_symbols.h"
#include "core/text/signs_file.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

using UnigramJson = nlohmann::json;
using OrderedUnigramJson = nlohmann::ordered_json;

// Written as null, which only we do: of a token that no text is cut into.
constexpr float neverRead = -std::numeric_limits<float>::infinity();
constexpr const char* tokenlessField = "tokenless";  // of ours alone: see UnigramRules
constexpr const char *pieceSpace = "▁", *severalSpaces = " {2,}";

UnigramJson fieldOf(const UnigramJson& object, const char* name) {
  return object.is_object() ? object.value(name, UnigramJson()) : UnigramJson();
}

// The steps of a Sequence, or the one that there is.
std::vector<UnigramJson> stepsIn(const UnigramJson& step, const char* list) {
  if (step.is_null()) return {};
  const UnigramJson steps = fieldOf(step, list);
  if (fieldOf(step, "type") != "Sequence" || !steps.is_array()) return {step};
  return {steps.begin(), steps.end()};
}

/// Takes what a tokenizer.json says beside its vocabulary, and keeps the first complaint.
class UnigramReader {
 public:
  UnigramReader(const UnigramJson& file, std::string_view name) : file_(file), name_(name) {}

  Result<UnigramRules> read() {
    for (const UnigramJson& step : stepsIn(fieldOf(file_, "normalizer"), "normalizers")) takeRewriting(step);
    for (const UnigramJson& step : stepsIn(fieldOf(file_, "pre_tokenizer"), "pretokenizers")) takeCut(step);
    if (!marksSpaces_)
      refuse("pre_tokenizer", "has no step of the type \"Metaspace\"", "pieces are read that begin with ▁");
    if (joins_ != strips_ && !rules_.cutsAtWhiteSpace)
      refuse("normalizer", "joins spaces or takes them off the end, but not both",
             "computed here are both, as SentencePiece does it, or none");
    rules_.joinsSpaces = joins_ || rules_.cutsAtWhiteSpace;
    rules_.signs = signsIn(fieldOf(file_, "post_processor"));
    if (!status_) return status_.error();
    return rules_;
  }

 private:
  void takeRewriting(const UnigramJson& step) {
    const UnigramJson type = fieldOf(step, "type"), pattern = fieldOf(step, "pattern");
    if (type == "Precompiled") return takeMap(fieldOf(step, "precompiled_charsmap"));
    const bool writesSpace = fieldOf(step, "content") == pieceSpace || fieldOf(step, "content") == " ";
    if (type == "Strip" && fieldOf(step, "strip_right") != false)
      strips_ = true;
    else if (type == "Replace" && writesSpace && fieldOf(pattern, "Regex") == severalSpaces)
      joins_ = true;
    else
      refuse("normalizer",
             "has a step of the type " + excerpt(type.dump(-1, ' ', true), 40) + " that is not known here",
             "texts would be changed otherwise before they are read");
  }
  void takeMap(const UnigramJson& map) {
    if (map.is_null()) return;
    const auto bytes = map.is_string() ? bytesOfBase64(map.get_ref<const std::string&>()) : std::nullopt;
    if (!bytes) return refuse("normalizer.precompiled_charsmap", "is not in base 64", "");
    auto made = CharacterMap::create(*bytes);
    if (!made) return refuse("normalizer.precompiled_charsmap", made.error().what, "get the file again");
    rules_.map = *std::move(made);
  }
  void takeCut(const UnigramJson& step) {
    const UnigramJson type = fieldOf(step, "type");
    if (type == "WhitespaceSplit") {
      rules_.cutsAtWhiteSpace = true;
      return;
    }
    const UnigramJson sign = fieldOf(step, "replacement"), splits = fieldOf(step, "split");
    if (type != "Metaspace" || (!sign.is_null() && sign != pieceSpace) || splits == false)
      return refuse("pre_tokenizer", "has a step that is not known here",
                    "words are read that are cut at spaces, written as ▁");
    marksSpaces_ = true;
    const bool adds = fieldOf(step, "add_prefix_space") != false;
    const UnigramJson given = fieldOf(step, "prepend_scheme"),
                      scheme = given.is_null() ? UnigramJson(adds ? "always" : "never") : given;
    if (scheme != "always" && (rules_.cutsAtWhiteSpace || (scheme != "first" && scheme != "never")))
      return refuse("pre_tokenizer", "puts no ▁ before every word", "");
    rules_.spaceInFront = scheme == "always"  ? SpaceInFront::UnlessThere
                          : scheme == "first" ? SpaceInFront::UnlessThereAtStart
                                              : SpaceInFront::No;
  }
  void refuse(const std::string& field, std::string what, const char* hint) {
    if (status_) status_ = Error{std::move(what), std::string(name_) + ", " + field, hint};
  }

  const UnigramJson& file_;
  std::string_view name_;
  UnigramRules rules_;
  bool marksSpaces_ = false, joins_ = false, strips_ = false;
  Status status_ = success();
};

// Tokens and scores by id.
struct ScoredTokens {
  std::vector<std::string> tokens;
  std::vector<float> scores;
  std::vector<int> bytes;  // the ids of all bytes, where the model falls back on them
};

Result<ScoredTokens> readScored(const UnigramJson& model, std::string_view name) {
  const std::string where = std::string(name) + ", model.vocab";
  const UnigramJson entries = fieldOf(model, "vocab");
  if (!entries.is_array()) return Error{"is no list of tokens with their log probabilities", where, ""};
  ScoredTokens scored;
  const bool hasBytes = fieldOf(model, "byte_fallback") == true;
  if (hasBytes) scored.bytes.assign(256, -1);
  for (const UnigramJson& entry : entries) {
    const bool isPair = entry.is_array() && entry.size() == 2 && entry[0].is_string() &&
                        (entry[1].is_number() || entry[1].is_null());
    if (!isPair)
      return Error{
          "has an entry that is no token with its log probability: " + excerpt(entry.dump(-1, ' ', true), 40),
          where, ""};
    const auto piece = entry[0].get<std::string>();
    const auto byte = hasBytes ? byteOfPiece(piece) : std::nullopt;
    if (byte) scored.bytes[*byte] = static_cast<int>(scored.tokens.size());
    scored.tokens.push_back(byte ? std::string(1, static_cast<char>(*byte)) : bytesFromPieces(piece));
    scored.scores.push_back(entry[1].is_null() ? neverRead : entry[1].get<float>());
  }
  if (hasBytes && std::ranges::min(scored.bytes) < 0)
    return Error{"has no token for every byte, though byte_fallback is true", where, ""};
  return scored;
}

// Those that only added_tokens lists stand behind the others.
Status addListed(const std::vector<AddedEntry>& entries, std::string_view name, ScoredTokens& scored,
                 std::vector<AddedToken>& added) {
  std::vector<AddedEntry> inOrder = entries;
  for (const AddedEntry& entry : entries)
    if (!entry.id.is_number_integer())
      return Error{"the id of " + inQuotes(entry.content) + " is no whole number",
                   std::string(name) + ", added_tokens", ""};
  std::ranges::stable_sort(inOrder, {}, [](const AddedEntry& entry) { return entry.id.get<std::int64_t>(); });
  for (const AddedEntry& entry : inOrder) {
    const auto id = entry.id.get<std::int64_t>();
    const auto count = static_cast<std::int64_t>(scored.tokens.size());
    if (id == count) scored.tokens.push_back(entry.content), scored.scores.push_back(0);
    if (id < 0 || id > count || scored.tokens[static_cast<std::size_t>(id)] != entry.content)
      return Error{"the id " + entry.id.dump() + " of " + inQuotes(entry.content) +
                       " is another token's, or leaves gaps",
                   std::string(name) + ", added_tokens", ""};
    added.push_back(entry.token);
    added.back().id = static_cast<int>(id);
  }
  return success();
}

Result<Unigram> readUnigram(const UnigramJson& file, std::string_view name) {
  auto rules = UnigramReader(file, name).read();
  if (!rules) return rules.error();
  auto scored = readScored(file["model"], name);
  if (!scored) return scored.error();
  const UnigramJson unknown = fieldOf(file["model"], "unk_id");
  const bool isId = unknown.is_number_unsigned() && unknown.get<std::uint64_t>() < scored->tokens.size();
  if (!isId)
    return Error{"is " + excerpt(unknown.dump(-1, ' ', true), 40) + ", which is no token",
                 std::string(name) + ", model.unk_id", "it stands for what is made of no tokens"};
  rules->unknown = scored->tokens[unknown.get<std::size_t>()];
  if (const UnigramJson tokenless = fieldOf(file["model"], tokenlessField); tokenless.is_object()) {
    rules->tokenless.emplace();
    for (const auto& [piece, score] : tokenless.items())
      if (score.is_number()) (*rules->tokenless)[bytesFromPieces(piece)] = score.get<float>();
  }
  const auto entries = readAddedTokens(file, name);
  if (!entries) return entries.error();
  std::vector<AddedToken> added;
  if (Status status = addListed(*entries, name, *scored, added); !status) return status.error();
  auto made = Unigram::create(std::move(scored->tokens), std::move(scored->scores), *std::move(rules),
                              std::move(added), std::move(scored->bytes));
  if (made) return made;
  return Error{made.error().what, std::string(name) + ", " + made.error().where, made.error().hint};
}

OrderedUnigramJson inSequence(const char* list, const OrderedUnigramJson& steps) {
  if (steps.empty()) return nullptr;
  if (steps.size() == 1) return steps[0];
  return {{"type", "Sequence"}, {list, steps}};
}

OrderedUnigramJson normalizerJson(const UnigramRules& rules) {
  OrderedUnigramJson steps = OrderedUnigramJson::array();
  if (!rules.map.bytes().empty())
    steps.push_back({{"type", "Precompiled"}, {"precompiled_charsmap", base64(rules.map.bytes())}});
  if (rules.joinsSpaces && !rules.cutsAtWhiteSpace) {
    steps.push_back({{"type", "Strip"}, {"strip_left", false}, {"strip_right", true}});
    steps.push_back({{"type", "Replace"}, {"pattern", {{"Regex", severalSpaces}}}, {"content", pieceSpace}});
  }
  return inSequence("normalizers", steps);
}

OrderedUnigramJson metaspaceJson(const UnigramRules& rules) {
  const char* scheme = rules.spaceInFront == SpaceInFront::UnlessThere          ? "always"
                       : rules.spaceInFront == SpaceInFront::UnlessThereAtStart ? "first"
                                                                                : "never";
  return {{"type", "Metaspace"}, {"replacement", pieceSpace}, {"prepend_scheme", scheme}, {"split", true}};
}

OrderedUnigramJson cutJson(const UnigramRules& rules) {
  OrderedUnigramJson steps = OrderedUnigramJson::array();
  if (rules.cutsAtWhiteSpace) steps.push_back({{"type", "WhitespaceSplit"}});
  steps.push_back(metaspaceJson(rules));
  return inSequence("pretokenizers", steps);
}

OrderedUnigramJson scoreJson(float score) {
  return score == neverRead ? OrderedUnigramJson() : OrderedUnigramJson(score);
}

OrderedUnigramJson vocabularyJson(const Unigram& tokenizer) {
  OrderedUnigramJson entries = OrderedUnigramJson::array();
  for (int id = 0; id < tokenizer.vocabularySize(); ++id) {
    const bool isAdded = std::ranges::binary_search(tokenizer.added(), id, {}, &AddedToken::id);
    const std::string& bytes = tokenizer.tokenBytes(id);
    const auto byte = std::ranges::find(tokenizer.byteTokens(), id);
    const bool isByte = byte != tokenizer.byteTokens().end();
    entries.push_back({isByte    ? pieceOfByte(static_cast<unsigned char>(bytes[0]))
                       : isAdded ? bytes
                                 : piecesFromBytes(bytes),
                       scoreJson(tokenizer.score(id))});
  }
  return entries;
}

}  // namespace

Result<std::shared_ptr<const Tokenizer>> readUnigramFile(std::string_view json, std::string_view name) {
  const auto file = parseJson(json, name);
  if (!file) return file.error();
  if (fieldOf(fieldOf(*file, "model"), "type") != "Unigram") return std::shared_ptr<const Tokenizer>();
  auto tokenizer = readUnigram(*file, name);
  if (!tokenizer) return tokenizer.error();
  return std::shared_ptr<const Tokenizer>(std::make_shared<const Unigram>(*std::move(tokenizer)));
}

std::string writeUnigramFile(const Unigram& tokenizer) {
  const UnigramRules& rules = tokenizer.rules();
  OrderedUnigramJson file = {{"version", "1.0"},
                             {"truncation", nullptr},
                             {"padding", nullptr},
                             {"added_tokens", addedTokensJson(tokenizer)},
                             {"normalizer", normalizerJson(rules)},
                             {"pre_tokenizer", cutJson(rules)},
                             {"post_processor", templateOf(tokenizer)},
                             {"decoder", metaspaceJson(rules)},
                             {"model",
                              {{"type", "Unigram"},
                               {"unk_id", tokenizer.unknown()},
                               {"vocab", vocabularyJson(tokenizer)},
                               {"byte_fallback", !tokenizer.byteTokens().empty()}}}};
  if (!rules.tokenless) return file.dump(1, ' ');
  OrderedUnigramJson& tokenless = file["model"][tokenlessField] = OrderedUnigramJson::object();
  for (const auto& [piece, score] : *rules.tokenless) tokenless[piecesFromBytes(piece)] = score;
  return file.dump(1, ' ');
}

}  // namespace glassformer
