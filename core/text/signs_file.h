#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "core/text/tokenizer.h"

namespace glassformer {

/// What the `post_processor` of a tokenizer.json puts around a single text, whatever its type: that of a
/// template, or of BERT's or RoBERTa's own. Of a sequence, the first that puts something there. Heavy:
/// include in .cpp files only.
TextSigns signsIn(const nlohmann::json& processor);

/// A template that puts a tokenizer's signs around a text, and between two; null where there are none.
nlohmann::ordered_json templateOf(const Tokenizer& tokenizer);

}  // namespace glassformer
