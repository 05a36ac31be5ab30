#include "app/views/positions/pair_strip.h"

#include <algorithm>

#include "app/document/view_commands.h"

namespace glassformer {

namespace {

constexpr float stripHeight = 56;

void addHit(PositionsView& view, const Box& box, const EncodingTable& table) {
  HitRegion hit;
  hit.box = box;
  hit.target.cell = {table.tensor, {view.position, 0}, -1, 1, -1, -1};
  hit.columns = view.width;
  hit.columnAxis = Axis::Dimension;
  hit.click = [width = view.width](const Target& target) {
    return commands::togglePair(target.dimension / 2, width);
  };
  hit.say = [name = view.positionName(view.position)](const Target& target) {
    return "A click draws the pair of dimensions " + std::to_string(target.dimension / 2 * 2) + " and " +
           std::to_string(target.dimension / 2 * 2 + 1) + " below, or no longer\n" + name;
  };
  hit.name = "pairs";
  view.scene.hits.push_back(std::move(hit));
}

}  // namespace

std::string pairName(int pair) {
  return "Dimensions " + std::to_string(2 * pair) + " and " + std::to_string(2 * pair + 1);
}

std::vector<int> addPairStrip(PositionsView& view, Box& area) {
  std::vector<int> pairs = shownPairs(view.settings, view.width);
  const EncodingTable& table = encodingTable(view.settings.table);
  Box box = area.takeTop(stripHeight);
  box.takeLeft(tickWidth), box.takeRight(scaleStrip);
  area.takeTop(tickHeight + 8);
  const Matrix matrix = addTable(view, box, table.tensor);
  const int count = view.width / 2;
  for (const int pair : pairs) markColumn(view, box, pair, count, true);
  if (view.input.hover.dimension != Target::none)
    markColumn(view, box, view.input.hover.dimension / 2, count, false);
  const auto number = [](int i) { return std::to_string(i); };
  addLabels(view.scene, view.input,
            {box, Side::Bottom, view.width, tickWidth + 8, number, [](int) { return false; }, FontFace::Mono,
             Theme::small, true});
  addColorScale(view.scene, view.input, {box.right() + 12, box.y, 0, box.height}, matrix.map, matrix.range);
  addHit(view, box, table);
  return pairs;
}

std::vector<Box> pairRows(const Box& area, std::size_t count, float most) {
  const int n = static_cast<int>(count);
  Box used = area;
  used.height = std::min(area.height, most * static_cast<float>(n));
  std::vector<Box> rows;
  for (int i = 0; i < n; ++i) rows.push_back(used.cell(i, 0, n, 1));
  return rows;
}

}  // namespace glassformer
