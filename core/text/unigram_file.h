#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/text/unigram.h"

namespace glassformer {

/// A tokenizer.json whose model is "Unigram", as Hugging Face's tokenizers library writes it for vocabularies
/// of SentencePiece. Null where the model is another. Refuses, with file and field: a normalizer that does
/// anything else than to rewrite by a compiled map and to join spaces, another cut than at spaces, a
/// vocabulary that is no list of tokens with their log probabilities.
Result<std::shared_ptr<const Tokenizer>> readUnigramFile(std::string_view json, std::string_view name);
std::string writeUnigramFile(const Unigram& tokenizer);

}  // namespace glassformer
