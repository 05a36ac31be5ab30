#include "app/figure/figure_sizes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/drawing/scene_input.h"
#include "app/scene/theme.h"

namespace glassformer {

namespace {

// 338.7 mm x 190.5 mm is the wide slide of PowerPoint, Impress and Keynote; the scenes' 13 pixels become 13
// points there. Columns are as wide as in Nature (89 and 183 mm; IEEE's are 88.9 and 182 mm), and the 13
// pixels print as 5.9 and 8.1 points; both journals ask for at least 5.
constexpr std::array sizes{
    FigureSize{"slide", "Slide", "a slide of 16:9, text of 13 points", {960, 540}, 338.6667f},
    FigureSize{"column", "1 column", "one column of a paper, 89 mm wide", {560, 520}, 89},
    FigureSize{"double-column", "2 columns", "both columns of a paper, 183 mm wide", {832, 576}, 183},
};

}  // namespace

std::span<const FigureSize> figureSizes() { return sizes; }

const FigureSize* findFigureSize(std::string_view id) {
  const auto found =
      std::find_if(sizes.begin(), sizes.end(), [&](const FigureSize& size) { return size.id == id; });
  return found == sizes.end() ? nullptr : &*found;
}

FigureSize sizeFor(const FigureSettings& settings, const FigureSize& window) {
  const FigureSize* const preset = findFigureSize(settings.size);
  if (!preset) return window;
  FigureSize size = *preset;
  if (settings.millimetres > 0) size.millimetres = settings.millimetres;
  // What is wider in print has room for more, in text of the same size.
  float larger = size.millimetres / preset->millimetres;
  if (settings.points > 0) larger *= preset->points() / settings.points;
  const Point least{SceneInput::leastWidth, SceneInput::leastHeight};
  larger = std::max({larger, least.x / size.layout.x, least.y / size.layout.y});
  size.layout = {std::round(size.layout.x * larger), std::round(size.layout.y * larger)};
  return size;
}

FigureSize pixelSize(Point layout) {
  return {"window", "Window", "the size of the window", layout, layout.x * 25.4f / 96};
}

}  // namespace glassformer
