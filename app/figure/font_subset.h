#pragma once
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace glassformer {

/// A font of a file (its `index`, where the file holds several) with the glyphs of these characters only,
/// some kilobytes instead of hundreds. Without `shaped` it lacks kerning and other layout tables: figures set
/// letters at their plain advances. With it the tables stay that join and combine these characters.
std::string subsetFont(std::span<const std::byte> file, const std::set<char32_t>& characters,
                       unsigned index = 0, bool shaped = false);

}  // namespace glassformer
