#include "app/scene/legend.h"

#include <algorithm>

namespace glassformer {

namespace {

constexpr float legendGap = 18, swatchSize = 10;

float signWidth(const LegendEntry& entry) { return entry.stroke > 0 ? 26 : 16; }

void addEntry(Scene& scene, const Typography& with, const LegendEntry& entry, Point at, float width) {
  if (entry.stroke > 0)
    scene.add(Line{{at, {at.x + 18, at.y}}, entry.color, entry.stroke});
  else
    scene.add(Rect{{at.x, at.y - swatchSize / 2, swatchSize, swatchSize}, entry.color, {0, 0, 0, 0}, 2});
  Text& text = addText(scene, {at.x + signWidth(entry), at.y}, entry.words, with.theme.note());
  text.maxWidth = width - signWidth(entry), text.value = entry.value;
}

}  // namespace

Box addLegend(Scene& scene, const Typography& with, const Box& box, const std::vector<LegendEntry>& entries,
              Align align) {
  const bool isLine = align == Align::End;
  const auto count = static_cast<float>(entries.size());
  std::vector<float> widths;
  float all = legendGap * (count - 1);
  for (const LegendEntry& entry : entries) {
    const float words = with.metrics.width(entry.words, FontFace::Ui, Theme::small) + 1;
    widths.push_back(std::min(signWidth(entry) + words, box.width));
    all += widths.back();
  }
  if (isLine && all > box.width) {
    const float most = (box.width + legendGap) / count - legendGap;
    all = box.width;
    for (float& width : widths) width = most;
  }
  Point at{isLine ? box.right() - all : box.x, isLine ? box.center().y : box.y + legendLine / 2};
  const Box covered{at.x, at.y - legendLine / 2, isLine ? all : box.width, legendLine};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!isLine && at.x > box.x && at.x + widths[i] > box.right() + 1) at = {box.x, at.y + legendLine};
    addEntry(scene, with, entries[i], at, widths[i]);
    at.x += widths[i] + legendGap;
  }
  return {covered.x, covered.y, covered.width, at.y + legendLine / 2 - covered.y};
}

}  // namespace glassformer
