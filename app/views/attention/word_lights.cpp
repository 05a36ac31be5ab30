#include <optional>

#include "app/views/attention/word_cells.h"

namespace glassformer {

namespace {

// A row and a column of it, that of the others among them; or its sum. A row of one vector has no columns.
struct LitCell {
  std::size_t row = 0;
  int column = -1;
  bool isSum = false;
};

// Whether a number is one of those that a reference spans.
bool isSpanned(const TensorRef& cell, const TensorRef& by) {
  if (by.empty() || cell.tensor != by.tensor) return false;
  for (int d = 0; d < maxRank; ++d) {
    const auto i = static_cast<std::size_t>(d);
    const bool isAlong = d == by.rowDimension || d == by.columnDimension;
    if (!isAlong && cell.index[i] != by.index[i]) return false;
  }
  return true;
}

// Which dimension of its numbers counts keys; −1: none.
int keyDimension(const WordRow& row) {
  if (row.kind == WordRowKind::Scores) return row.values.columnDimension;
  return row.kind == WordRowKind::Keys ? row.values.rowDimension : -1;
}

std::optional<LitCell> cellIn(const WordTable& table, std::size_t i, const TensorRef& cell) {
  const WordRow& row = table.rows[i];
  if (isSpanned(cell, row.number)) return LitCell{i, -1, true};
  if (isSpanned(cell, table.restOf(row))) return LitCell{i, table.columns.shown()};
  if (!isSpanned(cell, row.values)) return std::nullopt;
  const int dimension = keyDimension(row);
  if (dimension < 0) return LitCell{i};
  const int column = table.columns.columnOf(cell.index[static_cast<std::size_t>(dimension)]);
  return column < 0 ? std::nullopt : std::optional(LitCell{i, column});
}

std::optional<LitCell> pointedCell(const WordTable& table, std::size_t shown) {
  const TensorRef& cell = table.picture.input.hover.cell;
  for (std::size_t i = 0; i < shown && !cell.empty(); ++i)
    if (const auto found = cellIn(table, i, cell)) return found;
  return std::nullopt;
}

}  // namespace

void addWordLights(const WordTable& table, std::size_t shown) {
  const auto at = pointedCell(table, shown);
  if (!at) return;
  const WordRow& row = table.rows[at->row];
  const auto light = [&](const Box& box, float width) {
    addOutline(table.picture.scene, box, table.picture.theme.text, width);
  };
  const Box sum = table.besideBox(at->row).inset(-3, 1);
  light(at->isSum ? sum : table.boxOf(at->row, at->column).inset(1), 1);
  if (!row.number.empty() && !at->isSum) light(sum, 2);
  const bool isOfOthers = at->column == table.columns.shown();
  for (const WordRow::Operand& operand : row.madeOf) {
    const bool isWhole = operand.ofAllKeys || at->isSum;
    if (!isWhole && isOfOthers && table.restOf(table.rows[operand.row]).empty()) continue;
    light(table.boxOf(operand.row, isWhole ? -1 : at->column).inset(1), 2);
  }
}

}  // namespace glassformer
