#include "app/views/attention/word_table.h"

#include <algorithm>
#include <cmath>

#include "app/scene/format.h"

namespace glassformer {

WordColumns::WordColumns(const std::vector<int>& order, const Box& area, float least) : left(area.x) {
  constexpr float widest = 168;
  const auto all = static_cast<int>(order.size()), room = std::max(2, static_cast<int>(area.width / least));
  const int first = all <= room ? all : room - 1;
  keys.assign(order.begin(), order.begin() + first);
  std::ranges::sort(keys);
  others = all - first;
  width = std::min(area.width / static_cast<float>(count()), widest);
}

int WordColumns::columnOf(int key) const {
  const auto found = std::ranges::find(keys, key);
  return found == keys.end() ? -1 : static_cast<int>(found - keys.begin());
}

int WordTable::queryColumn() const { return picture.isAcross() ? 0 : std::max(columns.columnOf(query), 0); }

Box WordTable::boxOf(std::size_t row, int column) const {
  const Box& box = boxes[row];
  if (rows[row].kind == WordRowKind::Query) return columns.cell(queryColumn(), box);
  if (rows[row].kind == WordRowKind::Output || column < 0) return columns.all(box);
  return columns.cell(column, box);
}

std::string WordTable::besideOf(const WordRow& row) const {
  if (row.isVector()) return "±" + formattedTight(rangeOfRow(row).high);
  if (row.number.empty()) return row.beside;
  const auto sum = valueOf(picture.scene.sources, row.number);
  return sum ? row.beside + formattedFixed(*sum, 3) : "";
}

Box WordTable::besideBox(std::size_t row) const {
  const Box& box = boxes[row];
  const float left = labels.x + widthOf(rows[row].label, labelStyle(rows[row])) + 6;
  return {left, box.y, widthOf(besideOf(rows[row]), besideStyle()), box.height};
}

TextStyle WordTable::labelStyle(const WordRow& row) const {
  return {FontFace::Strong, picture.labelSize, row.isVector() ? row.color : picture.theme.text};
}

float WordTable::labelsWidth() const {
  float widest = 0;
  for (const WordRow& row : rows) {
    const std::string beside = besideOf(row);
    widest = std::max(widest, widthOf(row.label, labelStyle(row)) +
                                  (beside.empty() ? 0 : 6 + widthOf(beside, besideStyle())));
  }
  return std::ceil(widest) + 16;
}

Range WordTable::rangeOfRow(const WordRow& row) const {
  const TensorSources& sources = picture.scene.sources;
  Range range = rangeOf(sources, row.values);
  for (const WordRow& other : rows)
    if (row.isOfValues && other.isOfValues) range = unionOf(range, rangeOf(sources, other.values));
  if (const TensorRef rest = restOf(row); !rest.empty()) range = unionOf(range, rangeOf(sources, rest));
  return symmetric(range);
}

TensorRef WordTable::restOf(const WordRow& row) const {
  if (row.rest.empty() || columns.others == 0 || !picture.scene.sources.contains(row.rest)) return {};
  const int first = columns.shown();
  return row.isVector() ? TensorRef{row.rest, {first, 0}, -1, 1} : TensorRef{row.rest, {first}};
}

}  // namespace glassformer
