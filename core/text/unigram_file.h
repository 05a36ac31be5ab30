#pragma once
#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "core/result.h"
#include "core/text/unigram.h"

namespace glassformer {

/// The model "Unigram" of a tokenizer.json. Null where the model is another. Refuses, with file and field, a
/// vocabulary that is no list of tokens with their log probabilities, and what else is damaged.
Result<std::shared_ptr<const Tokenizer>> readUnigramFile(TokenizerFile& file);
nlohmann::ordered_json unigramModel(const Tokenizer& tokenizer);

}  // namespace glassformer
