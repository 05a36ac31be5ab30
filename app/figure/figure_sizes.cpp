#include "app/figure/figure_sizes.h"

#include <array>

namespace glassformer {

namespace {

// 338.67 mm x 190.5 mm is the wide slide of PowerPoint, Impress and Keynote, 96 pixels to the inch. Columns
// are as wide as in Nature (89 and 183 mm; IEEE's are 88.9 and 182 mm), and laid out so that the scenes' 13
// pixels print as 5.9 and 8.1 points; both ask for at least 5.
constexpr std::array sizes{
    FigureSize{"slide", "Slide", "16:9, 339 × 191 mm", {1280, 720}, 338.67f},
    FigureSize{"column", "Column", "one column of a paper, 89 mm wide", {560, 520}, 89},
    FigureSize{"double-column", "Double column", "both columns of a paper, 183 mm wide", {832, 576}, 183},
};

}  // namespace

std::span<const FigureSize> figureSizes() { return sizes; }

const FigureSize* findFigureSize(std::string_view id) {
  const auto found =
      std::find_if(sizes.begin(), sizes.end(), [&](const FigureSize& size) { return size.id == id; });
  return found == sizes.end() ? nullptr : &*found;
}

FigureSize pixelSize(Point layout) {
  return {"window", "As the window", "what the window shows", layout, layout.x * 25.4f / 96};
}

}  // namespace glassformer
