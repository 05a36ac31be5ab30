#pragma once
#include <array>
#include <string>

#include "core/result.h"
#include "core/tensor/tensor.h"

namespace glassformer {

/// A place in a tensor as it is written: "blocks.2.attn.hook_pattern[0, 9, *]".
struct CellWords {
  static constexpr int every = -1;

  std::string tensor;
  int given = 0;                                               ///< how many indices are written
  std::array<int, maxRank> index{every, every, every, every};  ///< `every` for "*", and behind the last one
};

/// Reads POINT[INDEX]; an error says what it was read for, `option`, and how it is written.
Result<CellWords> parsedCell(const std::string& words, const char* option);

}  // namespace glassformer
