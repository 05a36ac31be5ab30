#include "app/scene/colour.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

using namespace glassformer;

namespace {
// Relative luminance (WCAG 2): what is left of a colour in a grey print.
float luminance(Rgba c) {
  const auto linear = [](int v) {
    const float s = static_cast<float>(v) / 255;
    return s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f);
  };
  return 0.2126f * linear(c.r) + 0.7152f * linear(c.g) + 0.0722f * linear(c.b);
}
}  // namespace

TEST_CASE("the sequential map keeps its order in grey") {
  for (const bool dark : {true, false}) {
    const ColorTable table = colorTable(ColorMap::Sequential, dark);
    for (std::size_t i = 8; i < table.size(); i += 8) {
      const float step = luminance(table[i]) - luminance(table[i - 8]);
      CHECK((dark ? step : -step) > 0);
    }
  }
}

TEST_CASE("the diverging map is quiet in the middle and equally strong on both sides") {
  for (const bool dark : {true, false}) {
    const float middle = luminance(colorAt(ColorMap::Diverging, 0.5f, dark));
    for (const float d : {0.1f, 0.25f, 0.5f}) {
      const float below = std::sqrt(luminance(colorAt(ColorMap::Diverging, 0.5f - d, dark)));
      const float above = std::sqrt(luminance(colorAt(ColorMap::Diverging, 0.5f + d, dark)));
      CHECK(std::abs(below - above) < 0.12f);
      CHECK(std::abs(below - std::sqrt(middle)) > 0.02f);
    }
  }
}

TEST_CASE("eight heads have eight colours") {
  for (const bool dark : {true, false})
    for (int a = 0; a < 8; ++a)
      for (int b = 0; b < a; ++b) {
        const Rgba p = headColor(a, dark), q = headColor(b, dark);
        CHECK(std::abs(p.r - q.r) + std::abs(p.g - q.g) + std::abs(p.b - q.b) > 40);
      }
}
