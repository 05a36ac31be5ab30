#pragma once
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace glassformer {

/// A font file with the glyphs of these characters only, some kilobytes instead of hundreds, and without
/// kerning and other layout tables: figures set letters at their plain advances.
std::string subsetFont(std::span<const std::byte> file, const std::set<char32_t>& characters);

/// RFC 4648, for files inside files.
std::string base64(std::string_view bytes);

}  // namespace glassformer
