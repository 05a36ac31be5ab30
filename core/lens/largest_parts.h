#pragma once
#include <array>
#include <string>
#include <vector>

#include "core/trace/tensor_set.h"

namespace glassformer {

/// The most rows, or columns, of a table that are listed with the largest first.
inline constexpr int mostListed = 20;
/// How many rows may be listed: where there is room for fewer, the next that has it.
inline constexpr std::array listedRows{mostListed, 16, 12, 8, 6, 4};
/// Those of 0 … n − 1 that are listed, of sums [n]: the largest in size first, of equals the lower one. All,
/// where no more than one would be left out.
std::vector<int> largestFirst(const TensorView& sums, int most = mostListed);

/// What such a list leaves out of a table is summed in one row and one column of their own, by these names.
struct OthersOf {
  /// `rows`: one of listedRows; of columns mostListed are listed.
  explicit OthersOf(const std::string& table, int rows = mostListed)
      : inRows(table + "_other_rows" + behind(rows)),
        inColumns(table + "_other_columns"),
        inBoth(table + "_others" + behind(rows)),
        ofRows(table + "_other_rows_sum" + behind(rows)),
        ofColumns(table + "_other_columns_sum") {}

  std::string inRows;     ///< [columns]: the rows that are not listed, added up
  std::string inColumns;  ///< [rows]: the columns
  std::string inBoth;     ///< [1]: what is in neither list
  std::string ofRows;     ///< [1]: what those rows come to, over all columns
  std::string ofColumns;  ///< [1]

 private:
  static std::string behind(int rows) { return rows == mostListed ? "" : "_behind_" + std::to_string(rows); }
};
/// Adds these of a table [rows, columns], whose rows and columns come to the sums of those names, as far as
/// its lists leave something out.
void addOthers(TensorSet& set, const std::string& table, const std::string& fromRow,
               const std::string& fromColumn);

}  // namespace glassformer
