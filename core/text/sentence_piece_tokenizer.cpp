// From what a SentencePiece model says to the tokenizer that cuts so.
#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/text/byte_pair_encoding.h"
#include "core/text/character_map.h"
#include "core/text/json_text.h"
#include "core/text/piece_symbols.h"
#include "core/text/sentence_piece_model.h"
#include "core/text/text_pipeline.h"
#include "core/text/tokenizer_file.h"
#include "core/text/unigram.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

using PieceTokenizer = Result<std::shared_ptr<const Tokenizer>>;

constexpr float neverCut = -std::numeric_limits<float>::infinity();

/// The pieces as tokens.
struct PieceTokens {
  std::vector<std::string> tokens;
  std::vector<float> scores;
  std::vector<AddedToken> added;
  bool hasBytes = false;  // all 256
  std::string unknown;
};

Result<PieceTokens> tokensOfPieces(const SentencePieceModel& model, std::string_view name) {
  PieceTokens made;
  std::set<unsigned char> bytes;
  for (const SentencePiece& piece : model.pieces) {
    if (!std::isfinite(piece.score))
      return Error{"the score of " + inQuotes(piece.text) + " is not finite", std::string(name),
                   "the file is damaged; get it again"};
    const int id = static_cast<int>(made.tokens.size());
    const bool isWritten = piece.kind == PieceKind::Control || piece.kind == PieceKind::Unknown;
    const auto byte = byteOfPiece(piece.text);
    if (piece.kind == PieceKind::Byte && (!byte || !bytes.insert(*byte).second))
      return Error{"has a piece " + inQuotes(piece.text) + " that represents no byte of its own",
                   std::string(name), "the file is damaged; get it again"};
    if (isWritten || piece.kind == PieceKind::UserDefined)
      made.added.push_back({.id = id, .special = isWritten, .normalized = !isWritten});
    if (piece.kind == PieceKind::Unknown) made.unknown = piece.text;
    made.tokens.push_back(piece.text);
    made.scores.push_back(piece.kind == PieceKind::Unused ? neverCut : piece.score);
  }
  made.hasBytes = bytes.size() == 256;
  return made;
}

bool hasUserDefined(const SentencePieceModel& model) {
  return std::ranges::find(model.pieces, PieceKind::UserDefined, &SentencePiece::kind) != model.pieces.end();
}

// What users have defined is a part of the text, so that no space stands behind it.
std::string schemeOf(const SentencePieceModel& model) {
  if (!model.putsSpaceInFront) return "never";
  return hasUserDefined(model) ? "first" : "always";
}

Error namedError(const Error& error, std::string_view name) {
  return {error.what, std::string(name) + (error.where.empty() ? "" : ", " + error.where), error.hint};
}

// Words are cut at spaces, and each begins with its own.
Status checkSpaces(const SentencePieceModel& model, std::string_view name) {
  for (const SentencePiece& piece : model.pieces) {
    const bool isCut =
        piece.kind == PieceKind::Normal && bytesFromPieces(piece.text).find(' ', 1) != std::string::npos;
    if (isCut)
      return Error{"has the piece " + inQuotes(piece.text) + ", which contains a space inside",
                   std::string(name), "pieces of Unigram models must lie inside of words"};
  }
  return success();
}

using SharedPipeline = std::shared_ptr<const TextPipeline>;

Result<SharedPipeline> unigramPipelineOf(const SentencePieceModel& model, const BosEosTokens& signs,
                                         std::string_view name) {
  if (Status inside = checkSpaces(model, name); !inside) return inside.error();
  if (auto map = CharacterMap::create(model.charactersMap); !map) return namedError(map.error(), name);
  TextPipeline made =
      *sentencePiecePipeline({model.charactersMap, model.joinsSpaces, schemeOf(model), signs});
  made.ends = model.ends;
  return std::make_shared<const TextPipeline>(std::move(made));
}

PieceTokenizer unigramOf(PieceTokens pieces, UnigramRules rules, SharedPipeline pipeline,
                         std::string_view name) {
  if (pieces.unknown.empty())
    return Error{"has no piece for unknown text", std::string(name), "the file is damaged; get it again"};
  rules.unknown = pieces.unknown, rules.fallsBackToBytes = pieces.hasBytes;
  auto made = Unigram::create(std::move(pieces.tokens), std::move(pieces.scores), std::move(rules),
                              std::move(pieces.added), std::move(pipeline));
  if (!made) return namedError(made.error(), name);
  return std::shared_ptr<const Tokenizer>(std::make_shared<const Unigram>(*std::move(made)));
}

// Every way to make a piece of two others, the piece with the highest score first.
std::vector<Merge> mergesOf(const SentencePieceModel& model, const PieceTokens& pieces) {
  std::unordered_map<std::string_view, int> ids;
  const auto joins = [&](int id) {
    const PieceKind kind = model.pieces[static_cast<std::size_t>(id)].kind;
    return kind == PieceKind::Normal || kind == PieceKind::UserDefined;
  };
  const auto count = static_cast<int>(pieces.tokens.size());
  std::vector<int> byScore;
  for (int id = 0; id < count; ++id)
    if (joins(id)) ids.try_emplace(pieces.tokens[static_cast<std::size_t>(id)], id), byScore.push_back(id);
  std::ranges::stable_sort(byScore, std::greater{},
                           [&](int id) { return pieces.scores[static_cast<std::size_t>(id)]; });
  std::vector<Merge> merges;
  for (const int id : byScore) {
    const std::string_view whole = pieces.tokens[static_cast<std::size_t>(id)];
    const auto first = static_cast<std::ptrdiff_t>(merges.size());
    for (std::size_t at = nextCharacter(whole, 0); at < whole.size(); at = nextCharacter(whole, at)) {
      const auto left = ids.find(whole.substr(0, at)), right = ids.find(whole.substr(at));
      if (left != ids.end() && right != ids.end()) merges.push_back({left->second, right->second});
    }
    std::sort(merges.begin() + first, merges.end(), [](const Merge& a, const Merge& b) {
      return std::pair(a.left, a.right) < std::pair(b.left, b.right);
    });
  }
  return merges;
}

// The same steps that tokenizer.json lists for these models.
SharedPipeline bytePairPipelineOf(const SentencePieceModel& model, const BosEosTokens& signs) {
  using Json = nlohmann::json;
  const auto replace = [](const char* what, const char* by) {
    return Json{{"type", "Replace"}, {"pattern", {{"String", what}}}, {"content", by}};
  };
  const std::string scheme = schemeOf(model);
  Json cut, normalizer = replace(" ", "▁");
  if (scheme == "first")
    cut = {{"type", "Metaspace"}, {"replacement", "▁"}, {"prepend_scheme", "first"}, {"split", false}};
  else if (scheme == "always")
    normalizer = {{"type", "Sequence"},
                  {"normalizers", {{{"type", "Prepend"}, {"prepend", "▁"}}, std::move(normalizer)}}};
  Json decoders{replace("▁", " "), {{"type", "ByteFallback"}}, {{"type", "Fuse"}}};
  if (scheme != "never") decoders.push_back({{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
  TextPipeline made =
      TextPipeline::of({{"normalizer", std::move(normalizer)},
                        {"pre_tokenizer", std::move(cut)},
                        {"decoder", {{"type", "Sequence"}, {"decoders", std::move(decoders)}}}});
  made.signs = signs, made.ends = model.ends;
  return std::make_shared<const TextPipeline>(std::move(made));
}

PieceTokenizer bytePairsOf(const SentencePieceModel& model, PieceTokens pieces, const BosEosTokens& signs,
                           std::string_view name) {
  const auto refuse = [&](const char* what, const char* field) {
    return Error{what, std::string(name) + ", " + field, "byte-pair models must leave texts unchanged"};
  };
  if (!model.charactersMap.empty())
    return refuse("rewrites characters before they are joined", "precompiled_charsmap");
  if (model.joinsSpaces) return refuse("joins spaces before they are read", "remove_extra_whitespaces");
  if (!pieces.hasBytes)
    return Error{"has no pieces for all bytes", std::string(name) + ", byte_fallback",
                 "byte fallback is needed for characters without a piece"};
  BytePairRules rules;
  rules.fallsBackToBytes = true;
  std::vector<Merge> merges = mergesOf(model, pieces);
  auto made = BytePairEncoding::create(std::move(pieces.tokens), std::move(merges), std::move(rules),
                                       std::move(pieces.added), bytePairPipelineOf(model, signs));
  if (!made) return namedError(made.error(), name);
  return std::shared_ptr<const Tokenizer>(std::make_shared<const BytePairEncoding>(*std::move(made)));
}

bool isIn(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool asksForLanguage(std::string_view piece) {
  return piece.size() > 4 && piece.starts_with(">>") && piece.ends_with("<<");
}

}  // namespace

PieceTokenizer tokenizerOf(const SentencePieceModel& model, const BosEosTokens& signs,
                           std::string_view name) {
  auto pieces = tokensOfPieces(model, name);
  if (!pieces) return pieces.error();
  if (model.cut == SentencePieceModel::Cut::BytePairs)
    return bytePairsOf(model, *std::move(pieces), signs, name);
  auto pipeline = unigramPipelineOf(model, signs, name);
  if (!pipeline) return pipeline.error();
  return unigramOf(*std::move(pieces), {}, *std::move(pipeline), name);
}

PieceTokenizer tokenizerOf(const SentencePieceModel& model, std::string_view vocabJson,
                           const BosEosTokens& signs, std::string_view name, std::string_view vocabName) {
  if (model.cut != SentencePieceModel::Cut::Unigram)
    return Error{"is a model of byte pairs", std::string(name),
                 "next to a vocab.json only Unigram models are supported"};
  const auto json = parseJson(vocabJson, vocabName);
  if (!json) return json.error();
  const auto vocabulary = tokensById(*json, std::string(vocabName));
  if (!vocabulary) return vocabulary.error();
  auto pipeline = unigramPipelineOf(model, signs, name);
  if (!pipeline) return pipeline.error();
  std::unordered_map<std::string_view, const SentencePiece*> known;
  for (const SentencePiece& piece : model.pieces)
    if (piece.kind == PieceKind::Normal || piece.kind == PieceKind::UserDefined)
      known.emplace(piece.text, &piece);
  PieceTokens made;
  for (const std::string& piece : *vocabulary) {
    const int id = static_cast<int>(made.tokens.size());
    const bool isSign =
        isIn(signs.start, piece) || isIn(signs.close, piece) || piece == "<pad>" || piece == "<unk>";
    if (isSign || asksForLanguage(piece)) made.added.push_back({.id = id});
    if (piece == "<unk>") made.unknown = piece;
    const auto found = known.find(piece);
    made.tokens.push_back(piece);
    made.scores.push_back(found == known.end() ? neverCut : found->second->score);
    if (found != known.end()) known.erase(found);
  }
  UnigramRules rules;
  rules.tokenless.emplace();
  for (const auto& [text, piece] : known) (*rules.tokenless)[std::string(text)] = piece->score;
  return unigramOf(std::move(made), std::move(rules), *std::move(pipeline), vocabName);
}

}  // namespace glassformer
