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

void addHit(PositionsPicture& picture, const Box& box, const EncodingTable& table) {
  HitRegion& hit =
      addHitRegion(picture.scene, box, {table.tensor, {picture.position, 0}, -1, 1, -1, -1}, "pairs");
  hit.columns = picture.width;
  hit.columnAxis = Axis::Dimension;
  hit.click = [hands = picture.hands](const Target& target) {
    return commands::togglePair(hands.pairAt(target.dimension), hands.width);
  };
  hit.say = [name = picture.positionName(picture.position), hands = picture.hands](const Target& target) {
    const int pair = hands.pairAt(target.dimension);
    return "A click draws the pair of dimensions " + std::to_string(hands.sine(pair)) + " and " +
           std::to_string(hands.cosine(pair)) + " below, or no longer\n" + name;
  };
}

}  // namespace

std::string pairName(const PositionsPicture& picture, int pair) {
  return "Dimensions " + std::to_string(picture.hands.sine(pair)) + " and " +
         std::to_string(picture.hands.cosine(pair));
}

std::string complexForm(const PositionsPicture& picture, int pair) {
  const bool isModel = picture.settings.table == PositionTable::Model;
  if (isModel && !picture.config.positions->sinusoidPairs(picture.config)) return "";
  const double degrees = picture.hands.angle(1, pair) * 180 / std::numbers::pi;
  return "e^(i t / " + formattedShort(static_cast<float>(picture.hands.positionsPerRadian(pair))) + "), " +
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

std::vector<int> addPairStrip(PositionsPicture& picture, Box& area) {
  std::vector<int> pairs = shownPairs(picture.settings, picture.hands.width);
  const EncodingTable& table = encodingTable(picture.settings.table);
  Box box = area.takeTop(stripHeight);
  box.takeLeft(tickWidth), box.takeRight(scaleStrip);
  area.takeTop(tickHeight + 8);
  const Matrix matrix = addTable(picture, box, table.tensor);
  for (const int pair : pairs) markPair(picture, box, pair, true);
  if (picture.input.hover.dimension != Target::none)
    markPair(picture, box, picture.hands.pairAt(picture.input.hover.dimension), false);
  const auto number = [](int i) { return std::to_string(i); };
  addLabels(picture.scene, picture.input,
            {box, Side::Bottom, picture.width, tickWidth + 8, number, [](int) { return false; },
             FontFace::Mono, Theme::small, true});
  addColorScale(picture.scene, picture.input, {box.right() + 12, box.y, 0, box.height}, matrix.map,
                matrix.range);
  addHit(picture, box, table);
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
