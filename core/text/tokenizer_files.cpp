#include "core/text/tokenizer_files.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/text/added_tokens_file.h"
#include "core/text/byte_pair_rules_file.h"
#include "core/text/byte_symbols.h"
#include "core/text/json_text.h"
#include "core/text/piece_symbols.h"
#include "core/text/utf8.h"
#include "core/text/word_piece_file.h"

namespace glassformer {

namespace {

using Json = nlohmann::json;
// Keeps the order in which entries are put in: what we write lists the tokens by id.
using OrderedJson = nlohmann::ordered_json;

constexpr const char* downloadAgain = "the file is damaged or of another kind; get it again";

std::string atLine(std::string_view name, std::size_t line) {
  return std::string(name) + ", line " + std::to_string(line);
}

std::string atField(std::string_view name, const std::string& field) {
  return std::string(name) + ", " + field;
}

/// A vocabulary while it is read: bytes by id, and ids by bytes.
struct Vocabulary {
  std::vector<std::string> tokens;
  std::unordered_map<std::string, int> ids;
  std::vector<AddedToken> added;
  bool isPieces = false;        ///< written as SentencePiece does, not in GPT-2's byte symbols
  std::vector<int> byteTokens;  ///< of pieces: the id of each byte; -1: none

  std::optional<std::string> bytesOf(std::string_view symbols) const {
    return isPieces ? bytesFromPieces(symbols) : bytesFromSymbols(symbols);
  }

  // Of a piece that stands for a byte, which it is not found by.
  Status addByte(unsigned char byte, const Json& id, std::size_t limit, const std::string& where) {
    const std::string bytes(1, static_cast<char>(byte));
    const bool isKnown = ids.contains(bytes);
    if (Status status = add(bytes, id, limit, where); !status) return status;
    if (!isKnown) ids.erase(bytes);
    byteTokens[byte] = id.get<int>();
    return success();
  }

  Status add(std::string bytes, const Json& id, std::size_t limit, const std::string& where) {
    if (!id.is_number_integer())
      return Error{"the id of " + inQuotes(bytes) + " is no whole number", where, ""};
    const auto value = id.get<std::int64_t>();
    if (value < 0 || static_cast<std::uint64_t>(value) >= limit)
      return Error{"the id " + id.dump() + " of " + inQuotes(bytes) + " leaves gaps: " +
                       std::to_string(limit) + " tokens have the ids 0 to " + std::to_string(limit - 1),
                   where, downloadAgain};
    tokens.resize(limit);
    std::string& place = tokens[static_cast<std::size_t>(value)];
    if (!place.empty() && place != bytes)
      return Error{"the id " + id.dump() + " belongs to both " + inQuotes(place) + " and " + inQuotes(bytes),
                   where, downloadAgain};
    place = bytes;
    ids.try_emplace(std::move(bytes), static_cast<int>(value));
    return success();
  }
};

// `expected` is the number of tokens that the ids must number without gaps; the `added` ones are written as
// they are.
Status readVocabulary(const Json& entries, const std::set<std::string>& added, std::size_t expected,
                      const std::string& where, Vocabulary& vocabulary) {
  if (!entries.is_object()) return Error{"not an object from token to id", where, downloadAgain};
  for (const auto& [symbols, id] : entries.items()) {
    const bool isWritten = BytePairEncoding::isSpecialName(symbols) || added.contains(symbols);
    if (const auto byte = byteOfPiece(symbols); byte && vocabulary.isPieces) {
      if (Status status = vocabulary.addByte(*byte, id, expected, where); !status) return status;
      continue;
    }
    auto bytes = isWritten ? symbols : vocabulary.bytesOf(symbols);
    if (!bytes || bytes->empty())
      return Error{"the token " + inQuotes(symbols) + " is not in GPT-2's byte symbols", where,
                   "only byte-level vocabularies can be read"};
    if (Status status = vocabulary.add(*std::move(bytes), id, expected, where); !status) return status;
  }
  return success();
}

Result<int> idOfSymbols(const Vocabulary& vocabulary, std::string_view symbols, const std::string& where) {
  const auto bytes = vocabulary.bytesOf(symbols);
  const auto found = bytes ? vocabulary.ids.find(*bytes) : vocabulary.ids.end();
  if (found == vocabulary.ids.end())
    return Error{"merges " + inQuotes(symbols) + ", which is no token", where, ""};
  return found->second;
}

Result<Merge> mergeOfSymbols(const Vocabulary& vocabulary, std::string_view left, std::string_view right,
                             const std::string& where) {
  const auto leftId = idOfSymbols(vocabulary, left, where);
  if (!leftId) return leftId.error();
  const auto rightId = idOfSymbols(vocabulary, right, where);
  if (!rightId) return rightId.error();
  return Merge{*leftId, *rightId};
}

Result<Merge> mergeOfLine(const Vocabulary& vocabulary, std::string_view line, const std::string& where) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos || line.find(' ', space + 1) != std::string_view::npos)
    return Error{"expected two symbols separated by one space, found " + inQuotes(line), where, ""};
  return mergeOfSymbols(vocabulary, line.substr(0, space), line.substr(space + 1), where);
}

Result<std::vector<Merge>> readMergeLines(const Vocabulary& vocabulary, std::string_view text,
                                          std::string_view name) {
  std::vector<Merge> merges;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || (number == 1 && line.starts_with("#version"))) continue;
    const auto merge = mergeOfLine(vocabulary, line, atLine(name, number));
    if (!merge) return merge.error();
    merges.push_back(*merge);
  }
  return merges;
}

// Each entry is either "left right" or ["left", "right"]; both are in use.
Result<std::vector<Merge>> readMergeEntries(const Vocabulary& vocabulary, const Json& entries,
                                            std::string_view name) {
  if (!entries.is_array()) return Error{"not a list", atField(name, "model.merges"), downloadAgain};
  std::vector<Merge> merges;
  for (const Json& entry : entries) {
    const std::string where = atField(name, "model.merges[" + std::to_string(merges.size()) + "]");
    const bool isPair = entry.is_array() && entry.size() == 2 && entry[0].is_string() && entry[1].is_string();
    if (!isPair && !entry.is_string())
      return Error{"neither \"a b\" nor [\"a\", \"b\"]", where, downloadAgain};
    const auto merge = isPair ? mergeOfSymbols(vocabulary, entry[0].get_ref<const std::string&>(),
                                               entry[1].get_ref<const std::string&>(), where)
                              : mergeOfLine(vocabulary, entry.get_ref<const std::string&>(), where);
    if (!merge) return merge.error();
    merges.push_back(*merge);
  }
  return merges;
}

Result<BytePairEncoding> assemble(Vocabulary vocabulary, Result<std::vector<Merge>> merges,
                                  std::string_view name, BytePairRules rules = {}) {
  if (!merges) return merges.error();
  auto encoding = BytePairEncoding::create(std::move(vocabulary.tokens), *std::move(merges), std::move(rules),
                                           std::move(vocabulary.added), vocabulary.byteTokens);
  if (encoding) return encoding;
  return Error{encoding.error().what, atField(name, encoding.error().where), encoding.error().hint};
}

Status checkModel(const Json& file, std::string_view name) {
  if (!file.is_object()) return Error{"not a JSON object", std::string(name), downloadAgain};
  if (!file.contains("model") || !file["model"].is_object())
    return Error{"is missing", atField(name, "model"), downloadAgain};
  const Json& model = file["model"];
  if (model.value("type", Json("BPE")) != "BPE")
    return Error{"is " + model["type"].dump() + ", not \"BPE\"", atField(name, "model.type"), ""};
  for (const char* field : {"vocab", "merges"})
    if (!model.contains(field))
      return Error{"is missing", atField(name, std::string("model.") + field), downloadAgain};
  for (const char* field : {"continuing_subword_prefix", "end_of_word_suffix"})
    if (const Json value = model.value(field, Json()); !value.is_null() && value != Json(""))
      return Error{"is set; only tokenizers without one can be read",
                   atField(name, std::string("model.") + field), ""};
  return success();
}

Result<Vocabulary> readTokenizerVocabulary(const Json& file, std::string_view name) {
  const Json& entries = file["model"]["vocab"];
  const auto added = readAddedTokens(file, name);
  if (!added) return added.error();
  std::set<std::string> contents, onlyAdded;
  for (const AddedEntry& entry : *added) {
    contents.insert(entry.content);
    if (!entries.is_object() || !entries.contains(entry.content)) onlyAdded.insert(entry.content);
  }
  const std::size_t expected = entries.size() + onlyAdded.size();
  Vocabulary vocabulary;
  if (file["model"].value("byte_fallback", Json(false)) == true)
    vocabulary.isPieces = true, vocabulary.byteTokens.assign(256, -1);
  if (Status status = readVocabulary(entries, contents, expected, atField(name, "model.vocab"), vocabulary);
      !status)
    return status.error();
  for (const auto& [content, id, token, normalized] : *added) {
    if (Status status = vocabulary.add(content, id, expected, atField(name, "added_tokens")); !status)
      return status.error();
    vocabulary.added.push_back(token);
    vocabulary.added.back().id = id.get<int>();
  }
  return vocabulary;
}

Result<BytePairEncoding> readTokenizerFile(const Json& file, std::string_view name) {
  if (Status status = checkModel(file, name); !status) return status.error();
  auto rules = readBytePairRules(file, name);
  if (!rules) return rules.error();
  auto vocabulary = readTokenizerVocabulary(file, name);
  if (!vocabulary) return vocabulary.error();
  auto merges = readMergeEntries(*vocabulary, file["model"]["merges"], name);
  return assemble(*std::move(vocabulary), std::move(merges), name, *std::move(rules));
}

std::string symbolsOf(const BytePairEncoding& encoding, int id) {
  const std::string& bytes = encoding.tokenBytes(id);
  if (!encoding.rules().fromCharacters) return symbolsFromBytes(bytes);
  const bool isByte = bytes.size() == 1 && encoding.byteToken(static_cast<unsigned char>(bytes[0])) == id;
  return isByte ? pieceOfByte(static_cast<unsigned char>(bytes[0])) : piecesFromBytes(bytes);
}

OrderedJson vocabularyEntries(const BytePairEncoding& encoding) {
  OrderedJson entries = OrderedJson::object();
  const auto isAdded = [&](int id) {
    return std::ranges::binary_search(encoding.added(), id, {}, &AddedToken::id);
  };
  for (int id = 0; id < encoding.vocabularySize(); ++id) {
    const std::string& bytes = encoding.tokenBytes(id);
    // The lookup of an ordered object is linear; ids are unique, so append without one.
    entries.get_ref<OrderedJson::object_t&>().emplace_back(isAdded(id) ? bytes : symbolsOf(encoding, id), id);
  }
  return entries;
}

}  // namespace

Result<BytePairEncoding> parseVocabAndMerges(std::string_view vocabText, std::string_view merges,
                                             std::string_view vocabName, std::string_view mergesName,
                                             const SpecialTokens& specials) {
  const auto entries = parseJson(vocabText, vocabName);
  if (!entries) return entries.error();
  Vocabulary vocabulary;
  const std::set<std::string> written(specials.special.begin(), specials.special.end());
  if (Status status = readVocabulary(*entries, written, entries->size(), std::string(vocabName), vocabulary);
      !status)
    return status.error();
  for (const std::string& name : specials.special)
    if (const auto found = vocabulary.ids.find(name); found != vocabulary.ids.end())
      vocabulary.added.push_back({.id = found->second, .spaceBefore = name == "<mask>"});  // as a word had it
  BytePairRules rules;
  if (vocabulary.ids.contains(specials.signs.start) && vocabulary.ids.contains(specials.signs.close))
    rules.signs = specials.signs;
  auto pairs = readMergeLines(vocabulary, merges, mergesName);
  return assemble(std::move(vocabulary), std::move(pairs), mergesName, std::move(rules));
}

Result<BytePairEncoding> parseTokenizerJson(std::string_view json, std::string_view name) {
  const auto file = parseJson(json, name);
  return file ? readTokenizerFile(*file, name) : file.error();
}

std::string vocabJson(const BytePairEncoding& encoding) { return vocabularyEntries(encoding).dump(); }

std::string mergesText(const BytePairEncoding& encoding) {
  std::string text = "#version: 0.2\n";
  for (const auto& [left, right] : encoding.merges())
    text += symbolsOf(encoding, left) + " " + symbolsOf(encoding, right) + "\n";
  return text;
}

std::string tokenizerJson(const BytePairEncoding& encoding) {
  OrderedJson merges = OrderedJson::array();
  for (const auto& [left, right] : encoding.merges())
    merges.push_back(symbolsOf(encoding, left) + " " + symbolsOf(encoding, right));
  const bool isPieces = encoding.rules().fromCharacters;
  const OrderedJson file = {{"version", "1.0"},
                            {"truncation", nullptr},
                            {"padding", nullptr},
                            {"added_tokens", addedTokensJson(encoding)},
                            {"normalizer", normalizerOf(encoding.rules())},
                            {"pre_tokenizer", preTokenizerOf(encoding.rules())},
                            {"post_processor", postProcessorOf(encoding)},
                            {"decoder", decoderOf(encoding.rules())},
                            {"model",
                             {{"type", "BPE"},
                              {"dropout", nullptr},
                              {"unk_token", nullptr},
                              {"continuing_subword_prefix", ""},
                              {"end_of_word_suffix", ""},
                              {"fuse_unk", false},
                              {"byte_fallback", isPieces},
                              {"ignore_merges", encoding.rules().wholeWords},
                              {"vocab", vocabularyEntries(encoding)},
                              {"merges", merges}}}};
  return file.dump(1, ' ');
}

const TokenizerKind& BytePairEncoding::kind() const { return bytePairTokenizer(); }

const TokenizerKind& bytePairTokenizer() {
  static const TokenizerKind kind{
      "byte-pairs",
      "Byte pairs",
      "pieces of words, made by joining bytes that often stand together",
      [](std::string_view json, std::string_view name) -> Result<std::shared_ptr<const Tokenizer>> {
        const auto file = parseJson(json, name);
        if (!file) return file.error();
        if (file->is_object() && file->contains("model") && (*file)["model"].is_object() &&
            ((*file)["model"].value("type", Json("BPE")) != "BPE" || isWordPieceModel(*file)))
          return std::shared_ptr<const Tokenizer>();
        auto encoding = readTokenizerFile(*file, name);
        if (!encoding) return encoding.error();
        return std::shared_ptr<const Tokenizer>(
            std::make_shared<const BytePairEncoding>(*std::move(encoding)));
      },
      [](const Tokenizer& tokenizer) {
        return tokenizerJson(static_cast<const BytePairEncoding&>(tokenizer));
      },
      [](const Tokenizer& tokenizer) -> std::map<std::string, std::string> {  // GPT-2's
        const auto& encoding = static_cast<const BytePairEncoding&>(tokenizer);
        if (encoding.rules().fromCharacters) return {};
        return {{"vocab.json", vocabJson(encoding)}, {"merges.txt", mergesText(encoding)}};
      }};
  return kind;
}

}  // namespace glassformer
