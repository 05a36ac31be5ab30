#include "core/text/tokenizers.h"

#include <array>

#include "core/text/byte_pair_encoding.h"
#include "core/text/characters.h"
#include "core/text/unigram.h"
#include "core/text/word_piece.h"
#include "core/text/words.h"

namespace glassformer {

std::span<const TokenizerKind* const> tokenizers() {
  static const std::array all{
      &bytePairTokenizer(), &wordPieceTokenizer(),     &unigramTokenizer(),
      &wordTokenizer(),     &characterTokenizerKind(),
  };
  return all;
}

const TokenizerKind* findTokenizer(std::string_view id) {
  for (const TokenizerKind* kind : tokenizers())
    if (kind->id == id) return kind;
  return nullptr;
}

Result<std::shared_ptr<const Tokenizer>> readTokenizerJson(std::string_view json, std::string_view name) {
  std::string known;
  for (const TokenizerKind* kind : tokenizers()) {
    auto tokenizer = kind->read(json, name);
    if (!tokenizer || *tokenizer) return tokenizer;
    known += (known.empty() ? "" : ", ") + kind->id;
  }
  return Error{"is a tokenizer of an unknown kind", std::string(name) + ", model.type and pre_tokenizer",
               "those known are " + known};
}

std::string writeTokenizerJson(const Tokenizer& tokenizer) { return tokenizer.kind().write(tokenizer); }

}  // namespace glassformer
