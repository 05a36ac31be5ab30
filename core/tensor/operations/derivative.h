#pragma once
#include <vector>

#include "core/tensor/tape.h"

namespace glassformer {

// The two ends of a derivative ∂y/∂x: what is differentiated, and by what. Between them the tape runs
// backward.

/// A number of a table, or of one head's square; may be set anew before every run backward.
struct TableEntry {
  int row = 0, column = 0;
  int against = -1;                ///< a column that is subtracted; -1: none
  int head = 0;                    ///< of squares
  std::vector<float> slopes = {};  ///< ∂y/∂table[row, :] of another y of that row; empty: as above
};

/// Ends a tape with y = table[row, column], or table[row, column] − table[row, against]; what the tape makes
/// of the table afterwards has no part in it.
void differentiate(Tape& tape, const Value& table, const TableEntry& entry);

/// Goes on with the same x [R, width]; when the tape has run backward, `gradient` holds ∂y/∂x, row by row.
Value keepGradient(Tape& tape, const Value& x, std::vector<float>& gradient);

}  // namespace glassformer
