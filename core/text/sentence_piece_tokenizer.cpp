// From what a SentencePiece model says to the tokenizer that cuts so.
#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "core/text/byte_pair_encoding.h"
#include "core/text/json_text.h"
#include "core/text/piece_symbols.h"
#include "core/text/sentence_piece_model.h"
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
  std::vector<int> bytes;  // ids of all 256; empty: there are none
  std::string unknown;
};

Result<PieceTokens> tokensOfPieces(const SentencePieceModel& model, std::string_view name) {
  PieceTokens made;
  std::vector<int> bytes(256, -1);
  int byteCount = 0;
  for (const SentencePiece& piece : model.pieces) {
    if (!std::isfinite(piece.score))
      return Error{"the score of " + inQuotes(piece.text) + " is not finite", std::string(name),
                   "the file is damaged; get it again"};
    const int id = static_cast<int>(made.tokens.size());
    const bool isWritten = piece.kind == PieceKind::Control || piece.kind == PieceKind::Unknown;
    std::string token = isWritten ? piece.text : bytesFromPieces(piece.text);
    if (piece.kind == PieceKind::Byte) {
      const auto byte = byteOfPiece(piece.text);
      if (!byte || bytes[*byte] >= 0)
        return Error{"has a piece " + inQuotes(piece.text) + " that stands for no byte of its own",
                     std::string(name), "the file is damaged; get it again"};
      bytes[*byte] = id, ++byteCount;
      token.assign(1, static_cast<char>(*byte));
    }
    if (isWritten || piece.kind == PieceKind::UserDefined)
      made.added.push_back({.id = id, .special = isWritten});
    if (piece.kind == PieceKind::Unknown) made.unknown = token;
    made.tokens.push_back(std::move(token));
    made.scores.push_back(piece.kind == PieceKind::Unused ? neverCut : piece.score);
  }
  if (byteCount == 256) made.bytes = std::move(bytes);
  return made;
}

bool hasUserDefined(const SentencePieceModel& model) {
  return std::ranges::find(model.pieces, PieceKind::UserDefined, &SentencePiece::kind) != model.pieces.end();
}

// SentencePiece joins spaces before it puts one in front. What users have defined is a part of the text, so
// that no space stands behind it.
SpaceInFront spaceInFrontOf(const SentencePieceModel& model) {
  if (!model.putsSpaceInFront) return SpaceInFront::No;
  if (hasUserDefined(model)) return SpaceInFront::UnlessThereAtStart;
  return model.joinsSpaces ? SpaceInFront::UnlessThere : SpaceInFront::Always;
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
      return Error{"has the piece " + inQuotes(piece.text) + ", which goes on over a space",
                   std::string(name), "of Unigram models those are read whose pieces lie inside of words"};
  }
  return success();
}

Result<UnigramRules> unigramRulesOf(const SentencePieceModel& model, const TextSigns& signs,
                                    std::string_view name) {
  if (Status inside = checkSpaces(model, name); !inside) return inside.error();
  auto map = CharacterMap::create(model.charactersMap);
  if (!map) return namedError(map.error(), name);
  UnigramRules rules;
  rules.map = *std::move(map), rules.joinsSpaces = model.joinsSpaces;
  rules.spaceInFront = spaceInFrontOf(model), rules.signs = signs;
  return rules;
}

PieceTokenizer unigramOf(PieceTokens pieces, UnigramRules rules, std::string_view name) {
  if (pieces.unknown.empty())
    return Error{"has no piece for what is unknown", std::string(name), "the file is damaged; get it again"};
  rules.unknown = pieces.unknown;
  auto made = Unigram::create(std::move(pieces.tokens), std::move(pieces.scores), std::move(rules),
                              std::move(pieces.added), std::move(pieces.bytes));
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

PieceTokenizer bytePairsOf(const SentencePieceModel& model, PieceTokens pieces, const TextSigns& signs,
                           std::string_view name) {
  const auto refuse = [&](const char* what, const char* field) {
    return Error{what, std::string(name) + ", " + field,
                 "of byte pairs those are read that leave texts as they are"};
  };
  if (!model.charactersMap.empty())
    return refuse("rewrites characters before they are joined", "precompiled_charsmap");
  if (model.joinsSpaces) return refuse("joins spaces before they are read", "remove_extra_whitespaces");
  if (pieces.bytes.empty())
    return Error{"has no pieces for all bytes", std::string(name) + ", byte_fallback",
                 "what is no piece has to be written byte by byte"};
  BytePairRules rules;
  rules.preTokenizer = *PreTokenizer::create({});
  rules.fromCharacters = true, rules.spaceInFront = spaceInFrontOf(model), rules.signs = signs;
  std::vector<Merge> merges = mergesOf(model, pieces);
  auto made = BytePairEncoding::create(std::move(pieces.tokens), std::move(merges), std::move(rules),
                                       std::move(pieces.added), pieces.bytes);
  if (!made) return namedError(made.error(), name);
  return std::shared_ptr<const Tokenizer>(std::make_shared<const BytePairEncoding>(*std::move(made)));
}

// Of {"</s>": 0, "▁the": 12, ...}: the pieces by their ids.
Result<std::vector<std::string>> piecesById(std::string_view json, std::string_view name) {
  const auto file = parseJson(json, name);
  if (!file) return file.error();
  if (!file->is_object() || file->empty())
    return Error{"is no object from piece to id", std::string(name),
                 "the file is damaged or of another kind"};
  std::vector<std::string> pieces(file->size());
  for (const auto& [piece, id] : file->items()) {
    const bool isId = id.is_number_unsigned() && id.get<std::uint64_t>() < pieces.size() && !piece.empty();
    if (!isId || !pieces[id.get<std::size_t>()].empty())
      return Error{
          "the id " + excerpt(id.dump(), 40) + " of " + inQuotes(piece) + " is another's, or leaves gaps",
          std::string(name), "the file is damaged; get it again"};
    pieces[id.get<std::size_t>()] = piece;
  }
  return pieces;
}

bool asksForLanguage(std::string_view piece) {
  return piece.size() > 4 && piece.starts_with(">>") && piece.ends_with("<<");
}

}  // namespace

PieceTokenizer tokenizerOf(const SentencePieceModel& model, const TextSigns& signs, std::string_view name) {
  auto pieces = tokensOfPieces(model, name);
  if (!pieces) return pieces.error();
  if (model.cut == SentencePieceModel::Cut::BytePairs)
    return bytePairsOf(model, *std::move(pieces), signs, name);
  auto rules = unigramRulesOf(model, signs, name);
  if (!rules) return rules.error();
  return unigramOf(*std::move(pieces), *std::move(rules), name);
}

PieceTokenizer tokenizerOf(const SentencePieceModel& model, std::string_view vocabJson,
                           const TextSigns& signs, std::string_view name, std::string_view vocabName) {
  if (model.cut != SentencePieceModel::Cut::Unigram)
    return Error{"is a model of byte pairs", std::string(name),
                 "beside a vocab.json those of Unigram are read"};
  const auto vocabulary = piecesById(vocabJson, vocabName);
  if (!vocabulary) return vocabulary.error();
  auto rules = unigramRulesOf(model, signs, name);
  if (!rules) return rules.error();
  std::unordered_map<std::string_view, const SentencePiece*> known;
  for (const SentencePiece& piece : model.pieces)
    if (piece.kind == PieceKind::Normal || piece.kind == PieceKind::UserDefined)
      known.emplace(piece.text, &piece);
  PieceTokens made;
  for (const std::string& piece : *vocabulary) {
    const int id = static_cast<int>(made.tokens.size());
    const bool isSign = piece == signs.start || piece == signs.close || piece == "<pad>" || piece == "<unk>";
    if (isSign || asksForLanguage(piece)) made.added.push_back({.id = id});
    if (piece == "<unk>") made.unknown = piece;
    const auto found = known.find(piece);
    made.tokens.push_back(bytesFromPieces(piece));
    made.scores.push_back(found == known.end() ? neverCut : found->second->score);
    if (found != known.end()) known.erase(found);
  }
  rules->tokenless.emplace();
  for (const auto& [text, piece] : known) (*rules->tokenless)[bytesFromPieces(text)] = piece->score;
  return unigramOf(std::move(made), *std::move(rules), vocabName);
}

}  // namespace glassformer
