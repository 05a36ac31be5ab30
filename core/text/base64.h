#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace glassformer {

/// Bytes as letters, digits, + and /, four for every three (RFC 4648, section 4).
std::string base64(std::string_view bytes);

/// The way back; nothing where it is none.
std::optional<std::string> bytesOfBase64(std::string_view text);

}  // namespace glassformer
