#pragma once
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/tensor/operations/attention_mask.h"

namespace glassformer {

/// The field of a config that holds what is painted of its mask.
inline constexpr const char* paintedMaskField = "painted_mask";

/// Painted cells in one line: "4.7+ 5.1-" lets query 4 see key 7 and hides key 1 from query 5.
std::string toText(const PaintedCells& cells);
/// The same back; says which word is no such cell.
Result<PaintedCells> paintedCells(std::string_view text);

}  // namespace glassformer
