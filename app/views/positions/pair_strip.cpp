#include "app/views/positions/pair_strip.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/document/view_commands.h"
#include "app/scene/format.h"
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

namespace {

constexpr float stripHeight = 56;

void addHit(PositionsView& view, const Box& box, const EncodingTable& table) {
  HitRegion hit;
  hit.box = box;
  hit.target.cell = {table.tensor, {view.position, 0}, -1, 1, -1, -1};
  hit.columns = view.width;
  hit.columnAxis = Axis::Dimension;
  hit.click = [hands = view.hands](const Target& target) {
    return commands::togglePair(hands.pairAt(target.dimension), hands.width);
  };
  hit.say = [name = view.positionName(view.position), hands = view.hands](const Target& target) {
    const int pair = hands.pairAt(target.dimension);
    return "A click draws the pair of dimensions " + std::to_string(hands.sine(pair)) + " and " +
           std::to_string(hands.cosine(pair)) + " below, or no longer\n" + name;
  };
  hit.name = "pairs";
  view.scene.hits.push_back(std::move(hit));
}

}  // namespace

std::string pairName(const PositionsView& view, int pair) {
  return "Dimensions " + std::to_string(view.hands.sine(pair)) + " and " +
         std::to_string(view.hands.cosine(pair));
}

std::string complexForm(const PositionsView& view, int pair) {
  const bool isModel = view.settings.table == PositionTable::Model;
  if (isModel && !view.config.positions->clockHands(view.config)) return "";
  const double degrees = view.hands.angle(1, pair) * 180 / std::numbers::pi;
  return "e^(i t / " + formattedShort(static_cast<float>(view.hands.positionsPerRadian(pair))) + "), " +
         formattedFixed(static_cast<float>(degrees), degrees >= 10  ? 1
                                                     : degrees >= 1 ? 2
                                                                    : 3) +
         "° a position";
}

std::string complexWords(float real, float imaginary) {
  const bool isNegative = std::signbit(imaginary);
  return formattedFixed(real, 3) + (isNegative ? " − " : " + ") + formattedFixed(std::abs(imaginary), 3) +
         "i";
}

std::string angleWords(float sine, float cosine) {
  return formattedFixed(std::atan2(sine, cosine) * 180 / std::numbers::pi_v<float>, 1) + "°";
}

std::vector<int> addPairStrip(PositionsView& view, Box& area) {
  std::vector<int> pairs = shownPairs(view.settings, view.hands.width);
  const EncodingTable& table = encodingTable(view.settings.table);
  Box box = area.takeTop(stripHeight);
  box.takeLeft(tickWidth), box.takeRight(scaleStrip);
  area.takeTop(tickHeight + 8);
  const Matrix matrix = addTable(view, box, table.tensor);
  for (const int pair : pairs) markPair(view, box, pair, true);
  if (view.input.hover.dimension != Target::none)
    markPair(view, box, view.hands.pairAt(view.input.hover.dimension), false);
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
