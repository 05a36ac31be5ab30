#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/text/bos_eos_tokens.h"
#include "core/text/normalizer.h"
#include "core/text/pre_tokenization.h"
#include "core/text/text_ends.h"
#include "core/text/token_decoder.h"

namespace glassformer {

class Tokenizer;

/// What a vocabulary's tokens are written in: as they are; as bytes, each of which is one of GPT-2's symbols;
/// or as SentencePiece's pieces, a space being "▁".
enum class Spelling { Plain, Bytes, Pieces };

/// What a tokenizer does besides its model (BPE, WordPiece, Unigram, WordLevel): from a text to the words
/// that the model makes tokens of, around its tokens, and from tokens back to a text.
struct TextPipeline {
  Normalizer normalizer;
  PreTokenizer preTokenizer;
  BosEosTokens signs;
  TokenDecoder decoder;
  Spelling spelling = Spelling::Plain;
  std::vector<int> ends = {};  ///< tokens that end a text, where the model's config names them

  /// The four fields of a tokenizer.json; `name` is the file's. Refuses, with the place, what is not known.
  static Result<TextPipeline> read(const nlohmann::json& file, std::string_view name);
  /// The same of fields that the program itself writes.
  static TextPipeline of(const nlohmann::json& file);

  bool operator==(const TextPipeline& other) const;
};

/// GPT-2's: bytes, cut by its expression.
const TextPipeline& byteLevelPipeline();

std::string bytesOf(std::string_view token, Spelling spelling);
std::string tokenOf(std::string_view bytes, Spelling spelling);

}  // namespace glassformer
