#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "core/text/text_pipeline.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// What the "post_processor" of a tokenizer.json puts around a single text: a template, BERT's or RoBERTa's
/// own, or a sequence of these. What it puts around a pair of texts does not matter. Refuses, with the place,
/// types and fields that are not known, and templates that do anything else. Heavy: include in .cpp files
/// only.
Result<BosEosTokens> readSigns(const nlohmann::json& description, const std::string& where);

/// A template that puts a tokenizer's signs around a text, and between two; null where there are none.
nlohmann::ordered_json templateOf(const Tokenizer& tokenizer);

}  // namespace glassformer
