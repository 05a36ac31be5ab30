#pragma once
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/result.h"

namespace glassformer {

/// In bytes: the limit that safetensors has for its header.
inline constexpr std::size_t longestJson = 100'000'000;

/// Parses JSON from outside, the only way in which anything here does; `name` says whose it is in messages
/// ("vocab.json"; empty: whoever asked says it), which give the line. Refuses what is longer or nested deeper
/// than any of our formats, since much of a JSON library is recursive. Heavy: include in .cpp files only.
Result<nlohmann::json> parseJson(std::string_view text, std::string_view name);

/// What is said of a text that is no JSON near a byte.
Error jsonError(std::string_view text, std::size_t byte, std::string_view name);

/// The same, keeping the members of an object in the order in which they are written. Looking one up takes
/// as long as there are members, so that objects of thousands are refused.
Result<nlohmann::ordered_json> parseOrderedJson(std::string_view text, std::string_view name);

}  // namespace glassformer
