#pragma once
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/io/formats/model_formats.h"
#include "core/text/tokenizers.h"

namespace glassformer {

/// A file with one JSON object; one without fields where there is no such file.
Result<nlohmann::json> readObjectFile(const std::filesystem::path& path);

/// "</s>", which some write as {"content": "</s>", ...}; empty: there is none.
std::string contentOfToken(const nlohmann::json& config, const char* field);

/// What the files beside a tokenizer say of its tokens, as transformers reads them: the added tokens that
/// tokenizer_config.json lists or, where it lists none, added_tokens.json; the special ones that it or
/// special_tokens_map.json names; and, of classes that make them by themselves, the signs around a text.
/// `isWhole`: beside a tokenizer.json, which says the rest. Refuses, naming file and token, what is no id.
Result<TokensBeside> readTokensBeside(const std::filesystem::path& folder, const FamilyConfig& family,
                                      bool isWhole);

}  // namespace glassformer
