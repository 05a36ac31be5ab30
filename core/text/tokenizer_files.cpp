#include "core/text/tokenizer_files.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/text/byte_symbols.h"
#include "core/text/json_text.h"
#include "core/text/tokenizer_file.h"
#include "core/text/tokenizers.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

using Json = nlohmann::json;

constexpr const char* downloadAgain = "the file is damaged or of another kind; get it again";

std::string atLine(std::string_view name, std::size_t line) {
  return std::string(name) + ", line " + std::to_string(line);
}

/// Tokens by id, and ids by tokens.
struct Vocabulary {
  std::vector<std::string> tokens;
  TokenIndex ids;

  explicit Vocabulary(std::vector<std::string> byId) : tokens(std::move(byId)) {
    ids.reserve(tokens.size());
    for (std::size_t id = 0; id < tokens.size(); ++id)
      if (!tokens[id].empty()) ids.add(static_cast<int>(id), tokens);
  }
};

Result<int> idOfSymbols(const Vocabulary& vocabulary, std::string_view symbols, const std::string& where) {
  const int id = vocabulary.ids.find(symbols, vocabulary.tokens);
  if (id < 0) return Error{"merges " + inQuotes(symbols) + ", which is not a token", where, ""};
  return id;
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
Result<Merge> mergeOfEntry(const Vocabulary& vocabulary, const ListedMerge& entry, const std::string& where) {
  if (entry.parts == 1) return mergeOfLine(vocabulary, entry.left, where);
  if (entry.parts == 2) return mergeOfSymbols(vocabulary, entry.left, entry.right, where);
  return Error{"neither \"a b\" nor [\"a\", \"b\"]", where, downloadAgain};
}

Result<std::vector<Merge>> readMergeEntries(const Vocabulary& vocabulary, const TokenizerFile& file) {
  std::vector<Merge> merges;
  merges.reserve(file.merges.size());
  const std::string where = file.model.at("merges");
  for (const ListedMerge& entry : file.merges) {
    const auto merge = mergeOfEntry(vocabulary, entry, where);
    if (!merge)
      return Error{merge.error().what, where + "[" + std::to_string(merges.size()) + "]", merge.error().hint};
    merges.push_back(*merge);
  }
  return merges;
}

BytePairRules readBytePairRules(JsonFields& model) {
  const Json& dropout = model.any("dropout");
  if (!dropout.is_null() && dropout != 0)
    model.refuse("dropout", "is " + shownJson(dropout), "texts would be cut at random");
  BytePairRules rules;
  rules.unknown = model.text("unk_token", "");
  rules.insidePrefix = model.text("continuing_subword_prefix", "");
  rules.endSuffix = model.text("end_of_word_suffix", "");
  rules.fusesUnknown = model.flag("fuse_unk", false);
  rules.fallsBackToBytes = model.flag("byte_fallback", false);
  rules.wholeWords = model.flag("ignore_merges", false);
  return rules;
}

Result<std::shared_ptr<const Tokenizer>> readBytePairs(TokenizerFile& file) {
  if (file.type != "BPE") return std::shared_ptr<const Tokenizer>();
  JsonFields& model = file.model;
  BytePairRules rules = readBytePairRules(model);
  if (!model.has("vocab")) model.refuse("vocab", "is missing", downloadAgain);
  if (!model.has("merges")) model.refuse("merges", "is missing", downloadAgain);
  model.any("vocab"), model.list("merges");
  if (Status status = model.done(); !status) return status.error();
  auto tokens = tokensById(file);
  if (!tokens) return tokens.error();
  Vocabulary vocabulary(*std::move(tokens));
  auto merges = readMergeEntries(vocabulary, file);
  if (!merges) return merges.error();
  return readAs(BytePairEncoding::create(std::move(vocabulary.tokens), *std::move(merges), std::move(rules),
                                         file.addedTokens(), file.pipeline),
                model);
}

nlohmann::ordered_json bytePairModel(const Tokenizer& tokenizer) {
  const auto& encoding = static_cast<const BytePairEncoding&>(tokenizer);
  const BytePairRules& rules = encoding.rules();
  nlohmann::ordered_json merges = nlohmann::ordered_json::array();
  for (const auto& [left, right] : encoding.merges()) {
    const std::string &first = encoding.written(left), &second = encoding.written(right);
    if (first.find(' ') == first.npos && second.find(' ') == second.npos)
      merges.push_back(first + " " + second);
    else
      merges.push_back({first, second});
  }
  return {
      {"type", "BPE"},
      {"dropout", nullptr},
      {"unk_token", rules.unknown.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(rules.unknown)},
      {"continuing_subword_prefix", rules.insidePrefix},
      {"end_of_word_suffix", rules.endSuffix},
      {"fuse_unk", rules.fusesUnknown},
      {"byte_fallback", rules.fallsBackToBytes},
      {"ignore_merges", rules.wholeWords},
      {"vocab", vocabularyJson(encoding)},
      {"merges", std::move(merges)}};
}

// GPT-2's own files, which say nothing else than tokens and merges.
std::map<std::string, std::string> olderFiles(const Tokenizer& tokenizer) {
  const auto& encoding = static_cast<const BytePairEncoding&>(tokenizer);
  if (encoding.pipeline().spelling != Spelling::Bytes) return {};
  return {{"vocab.json", vocabJson(encoding)}, {"merges.txt", mergesText(encoding)}};
}

}  // namespace

Result<BytePairEncoding> parseVocabAndMerges(std::string_view vocabText, std::string_view merges,
                                             std::string_view vocabName, std::string_view mergesName,
                                             const SpecialTokens& specials) {
  const auto entries = parseJson(vocabText, vocabName);
  if (!entries) return entries.error();
  auto tokens = tokensById(*entries, std::string(vocabName));
  if (!tokens) return tokens.error();
  std::vector<AddedToken> added;
  for (const auto& [token, content] : specials.beside.added) {
    const auto at = static_cast<std::size_t>(token.id);
    if (at >= tokens->size()) tokens->resize(at + 1);
    if (!(*tokens)[at].empty() && (*tokens)[at] != content)
      return Error{"the id " + std::to_string(token.id) + " of " + inQuotes(content) + " is another token's",
                   "added_tokens.json", downloadAgain};
    (*tokens)[at] = content;
    added.push_back(token);
  }
  Vocabulary vocabulary(*std::move(tokens));
  const auto find = [&](const std::string& name) { return vocabulary.ids.find(name, vocabulary.tokens); };
  const auto isListed = [&](int id) { return std::ranges::find(added, id, &AddedToken::id) != added.end(); };
  for (const auto* names : {&specials.special, &specials.beside.special})
    for (const std::string& name : *names)
      if (const int id = find(name); id >= 0 && !isListed(id))
        added.push_back({.id = id, .spaceBefore = name == "<mask>"});  // as a word had it
  TextPipeline pipeline = byteLevelPipeline();
  pipeline.ends = specials.beside.ends;
  if (const int end = find(specials.beside.end); pipeline.ends.empty() && end >= 0) pipeline.ends = {end};
  const auto isThere = [&](const std::string& name) { return find(name) >= 0; };
  if (std::ranges::all_of(specials.signs.start, isThere) &&
      std::ranges::all_of(specials.signs.close, isThere))
    pipeline.signs = specials.signs;
  if (specials.beside.start) pipeline.signs.start = *specials.beside.start;
  if (specials.beside.close) pipeline.signs.close = *specials.beside.close;
  auto pairs = readMergeLines(vocabulary, merges, mergesName);
  if (!pairs) return pairs.error();
  auto made = BytePairEncoding::create(std::move(vocabulary.tokens), *std::move(pairs), {}, std::move(added),
                                       std::make_shared<const TextPipeline>(std::move(pipeline)));
  if (made) return made;
  return Error{made.error().what, std::string(mergesName) + ", " + made.error().where, made.error().hint};
}

Result<BytePairEncoding> parseTokenizerJson(std::string_view json, std::string_view name) {
  const auto read = readTokenizerJson(json, name);
  if (!read) return read.error();
  if (&(*read)->kind() != &bytePairTokenizer())
    return Error{"is not a byte-pair model", std::string(name) + ", model.type", ""};
  return static_cast<const BytePairEncoding&>(**read);
}

std::string vocabJson(const BytePairEncoding& encoding) { return vocabularyJson(encoding).dump(); }

std::string mergesText(const BytePairEncoding& encoding) {
  std::string text = "#version: 0.2\n";
  for (const auto& [left, right] : encoding.merges())
    text += encoding.written(left) + " " + encoding.written(right) + "\n";
  return text;
}

const TokenizerKind& BytePairEncoding::kind() const { return bytePairTokenizer(); }

const TokenizerKind& bytePairTokenizer() {
  static const TokenizerKind kind{
      "byte-pairs",  "Byte pairs",  "pieces of words, built by merging frequent pairs of bytes",
      readBytePairs, bytePairModel, olderFiles};
  return kind;
}

}  // namespace glassformer
