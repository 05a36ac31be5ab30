#pragma once
#include <functional>
#include <string>
#include <vector>

#include "app/drawing/scene_input.h"
#include "app/drawing/view_header.h"
#include "core/lens/largest_parts.h"

namespace glassformer {

/// A number taken apart into the cells of a table, whose rows, columns and dimensions each sum to it.
struct PartsTable {
  ViewHeader header;
  std::string hitName;  ///< what tests and the keyboard call the table

  // Tensors: the cells [rows, columns], what rows and columns come to, the same number by dimension, and all
  // of it.
  const char *table, *fromRow, *fromColumn, *dimensions, *sum;
  /// A number beside the cells, one line each: what is in none of them, or what becomes of their sum.
  struct Beside {
    const char* tensor;
    std::string name, say;
  };
  std::vector<Beside> beside;
  std::vector<int> rows, columns;  ///< those that are shown, in this order
  bool inOrder = true;             ///< whether they are the tensor's own, one after the other
  int mostRows = mostListed;       ///< of a list: see listedRows
  /// Of a list what it leaves out, in a row and a column of their own: "29 others"; empty where there is
  /// none.
  std::string otherRows, otherColumns;
  Command showAll;  ///< what a click on those names does
  Axis rowAxis = Axis::None;
  Target common;  ///< what all cells have in common

  std::function<std::string(int)> rowName, columnName;
  std::function<bool(int)> isPointedRow;
  std::function<std::string(int row, int column)> sayCell;
  std::function<std::string(int)> sayRow, sayColumn;
  std::string sayOtherRows, sayOtherColumns;
  std::function<std::function<Command(const Target&)>(int)> clickRow, clickColumn;  ///< empty: does nothing
  std::function<Command(const Target&)> clickCell;
  std::string saySum, byDimension;
};

/// The picture of it. `listing` says what is shown where a list has so many rows: as many as find room, so
/// that what the others and all come to is in sight.
Scene partsTableScene(const SceneInput& input, const std::function<PartsTable(int mostRows)>& listing);

}  // namespace glassformer
