#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// What a piece stands for, as SentencePiece and GGUF files number it.
enum class PieceKind {
  Normal = 1,   ///< a part of texts
  Unknown,      ///< what is made of no pieces
  Control,      ///< no part of a text, such as its end
  UserDefined,  ///< a part of texts that is never cut otherwise
  Unused,       ///< nothing: texts are not cut into it
  Byte,         ///< a single byte: "<0x0A>"
};

struct SentencePiece {
  std::string text;  ///< a space is "▁"
  float score = 0;   ///< log probability; of byte pairs the higher the earlier it was joined
  PieceKind kind = PieceKind::Normal;
};

/// What a SentencePiece model (Kudo and Richardson 2018) says: a `spiece.model`, `tokenizer.model` or
/// `source.spm`, or the keys of a GGUF file.
struct SentencePieceModel {
  enum class Cut { Unigram = 1, BytePairs = 2 };
  std::vector<SentencePiece> pieces;  ///< by their ids
  Cut cut = Cut::Unigram;
  std::string charactersMap;     ///< see CharacterMap; empty: texts are read as they are
  bool putsSpaceInFront = true;  ///< add_dummy_prefix
  bool joinsSpaces = true;       ///< remove_extra_whitespaces
  std::vector<int> ends = {};    ///< pieces that end a text, where the model's config names them
};

/// Reads the bytes of such a file (a message ModelProto); `name` is the file's, for messages. Refuses, with
/// file and byte or field: what is damaged, models that cut in other ways (words, characters), that write
/// spaces otherwise than as ▁ in front of words.
Result<SentencePieceModel> parseSentencePieces(std::string_view bytes, std::string_view name);

/// The tokenizer that cuts as the model does. Control and unknown pieces are recognised where they are
/// written out, as are those that users have defined; `signs` stand around every text. Of byte pairs every
/// two pieces that are a third one together are joined, the one with the highest score first. Refuses byte
/// pairs that cannot write every byte, or that change texts first.
Result<std::shared_ptr<const Tokenizer>> tokenizerOf(const SentencePieceModel& model,
                                                     const BosEosTokens& signs, std::string_view name);

/// The same of a model whose ids a `vocab.json` has, as Marian does it: pieces that it has not are unknown,
/// and those of it that the model has not only stand for what is read or written as them. ">>fra<<", which
/// asks for a language, is recognised where it is written out.
Result<std::shared_ptr<const Tokenizer>> tokenizerOf(const SentencePieceModel& model,
                                                     std::string_view vocabJson, const BosEosTokens& signs,
                                                     std::string_view name, std::string_view vocabName);

}  // namespace glassformer
