#pragma once
#include <string>

#include "app/drawing/number_tables.h"

namespace glassformer {

/// A table as one JSON object: the tensor's name and meaning, what rows and columns count by their letters,
/// their labels, and the values row by row; null for NaN and infinities.
std::string jsonTable(const NumberTable& table);

}  // namespace glassformer
