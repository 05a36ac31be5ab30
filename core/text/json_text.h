#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/result.h"

namespace glassformer {

/// Parses JSON from outside; `name` says whose it is in messages ("vocab.json"), which give the line. Refuses
/// nesting deeper than any of our formats has, since much of a JSON library is recursive. Heavy: include in
/// .cpp files only.
Result<nlohmann::json> parseJson(std::string_view text, std::string_view name);

}  // namespace glassformer
