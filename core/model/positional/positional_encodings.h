#pragma once
#include <span>
#include <string_view>

#include "core/model/positional/positional_encoding.h"

namespace glassformer {

/// Every positional encoding, in the order in which menus show them.
std::span<const PositionalEncoding* const> positionalEncodings();
/// By id; null when there is none.
const PositionalEncoding* findPositionalEncoding(std::string_view id);

}  // namespace glassformer
