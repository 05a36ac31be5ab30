#include "core/text/sentence_piece_model.h"

#include <bit>
#include <utility>

#include "core/text/utf8.h"
#include "core/text/wire_message.h"

namespace glassformer {
namespace {

// Numbers of fields, as sentencepiece_model.proto has them.
namespace proto {
constexpr std::uint64_t pieces = 1, trainer = 2, normalizer = 3;                       // of the model
constexpr std::uint64_t text = 1, score = 2, kind = 3;                                 // of a piece
constexpr std::uint64_t modelType = 3, spaceBehind = 24;                               // of the trainer
constexpr std::uint64_t map = 2, spaceInFront = 3, joinsSpaces = 4, writesSpaces = 5;  // of the normalizer
}  // namespace proto

/// Takes the messages of a model one after the other.
class SentencePieceReader {
 public:
  explicit SentencePieceReader(std::string_view name) : name_(name) {}

  Result<SentencePieceModel> read(std::string_view bytes) {
    const auto fields = wireFields(bytes, name_);
    if (!fields) return fields.error();
    for (const WireField& field : *fields) {
      const Status taken = field.field == proto::pieces       ? takePiece(field)
                           : field.field == proto::trainer    ? takeTrainer(field)
                           : field.field == proto::normalizer ? takeNormalizer(field)
                                                              : success();
      if (!taken) return taken.error();
    }
    if (model_.pieces.empty())
      return Error{"has no pieces", std::string(name_), "not a SentencePiece model, or damaged"};
    return std::move(model_);
  }

 private:
  Error refusal(std::string what, const WireField& field, std::string hint = "") const {
    return {std::move(what), std::string(name_) + ", byte " + std::to_string(field.at), std::move(hint)};
  }

  Status takePiece(const WireField& message) {
    const auto fields = wireFields(message.bytes, name_, message.at);
    if (!fields) return fields.error();
    SentencePiece piece;
    for (const WireField& field : *fields) {
      if (field.field == proto::text) piece.text = field.bytes;
      if (field.field == proto::score)
        piece.score = std::bit_cast<float>(static_cast<std::uint32_t>(field.number));
      if (field.field != proto::kind) continue;
      if (field.number < 1 || field.number > static_cast<std::uint64_t>(PieceKind::Byte))
        return refusal("has a piece of the type " + std::to_string(field.number) + ", which is none", field);
      piece.kind = static_cast<PieceKind>(field.number);
    }
    if (piece.text.empty() || !isValidUtf8(piece.text))
      return refusal("has a piece " + inQuotes(piece.text) + " that is not text", message);
    model_.pieces.push_back(std::move(piece));
    return success();
  }

  Status takeTrainer(const WireField& message) {
    const auto fields = wireFields(message.bytes, name_, message.at);
    if (!fields) return fields.error();
    for (const WireField& field : *fields) {
      if (field.field == proto::spaceBehind && field.number != 0)
        return refusal("writes spaces after words (treat_whitespace_as_suffix)", field,
                       "pieces are read that begin with their space");
      if (field.field != proto::modelType) continue;
      if (field.number != 1 && field.number != 2)
        return refusal("has the model_type " + std::to_string(field.number), field,
                       "those that are computed here are 1, Unigram, and 2, byte pairs");
      model_.cut = static_cast<SentencePieceModel::Cut>(field.number);
    }
    return success();
  }

  Status takeNormalizer(const WireField& message) {
    const auto fields = wireFields(message.bytes, name_, message.at);
    if (!fields) return fields.error();
    for (const WireField& field : *fields) {
      if (field.field == proto::map) model_.charactersMap = field.bytes;
      if (field.field == proto::spaceInFront) model_.putsSpaceInFront = field.number != 0;
      if (field.field == proto::joinsSpaces) model_.joinsSpaces = field.number != 0;
      if (field.field == proto::writesSpaces && field.number == 0)
        return refusal("does not write spaces as ▁ (escape_whitespaces)", field);
    }
    return success();
  }

  std::string_view name_;
  SentencePieceModel model_;
};

}  // namespace

Result<SentencePieceModel> parseSentencePieces(std::string_view bytes, std::string_view name) {
  return SentencePieceReader(name).read(bytes);
}

}  // namespace glassformer
