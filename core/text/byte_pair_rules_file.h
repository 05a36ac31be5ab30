#pragma once
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/text/byte_pair_encoding.h"

namespace glassformer {

/// What a tokenizer.json says of normalizing and cutting: byte-level, or as SentencePiece (where
/// `model.byte_fallback` is set). Refuses, naming the field, what would change texts in other ways than to
/// compose them or to put a space in front.
Result<BytePairRules> readBytePairRules(const nlohmann::json& file, std::string_view name);

/// The fields "normalizer" and "pre_tokenizer".
nlohmann::ordered_json normalizerOf(const BytePairRules& rules);
nlohmann::ordered_json preTokenizerOf(const BytePairRules& rules);

/// The field "decoder".
nlohmann::ordered_json decoderOf(const BytePairRules& rules);
/// The field "post_processor": what stands around every text.
nlohmann::ordered_json postProcessorOf(const BytePairEncoding& encoding);
/// {"type": "ByteLevel", ...}; `cuts`: by GPT-2's expression; `addsSpace`: in front of a text without one.
nlohmann::ordered_json byteLevelStep(bool cuts = true, bool addsSpace = false);

}  // namespace glassformer
