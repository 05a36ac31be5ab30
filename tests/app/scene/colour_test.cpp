#include "app/scene/colour.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/drawing/parts.h"

using namespace glassformer;

namespace {

using Linear = std::array<float, 3>;  // red, green, blue in proportion to light

Linear linear(Rgba c) {
  const auto channel = [](int v) {
    const float s = static_cast<float>(v) / 255;
    return s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f);
  };
  return {channel(c.r), channel(c.g), channel(c.b)};
}

// Relative luminance (WCAG 2): what is left of a colour in a grey print.
float luminance(Rgba c) {
  const Linear l = linear(c);
  return 0.2126f * l[0] + 0.7152f * l[1] + 0.0722f * l[2];
}

// WCAG 2: 1 for equal colours, 21 for black on white.
float contrast(Rgba a, Rgba b) {
  const float x = luminance(a) + 0.05f, y = luminance(b) + 0.05f;
  return std::max(x, y) / std::min(x, y);
}

// How people see a colour: normally, and with the three dichromacies, by the model of Machado, Oliveira and
// Fernandes (2009) at full severity.
using Vision = std::array<std::array<float, 3>, 3>;
constexpr std::array<Vision, 4> visions{{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                                         {{{0.152286f, 1.052583f, -0.204868f},
                                           {0.114503f, 0.786281f, 0.099216f},
                                           {-0.003882f, -0.048116f, 1.051998f}}},
                                         {{{0.367322f, 0.860646f, -0.227968f},
                                           {0.280085f, 0.672501f, 0.047413f},
                                           {-0.011820f, 0.042940f, 0.968881f}}},
                                         {{{1.255528f, -0.076749f, -0.178779f},
                                           {-0.078411f, 0.930809f, 0.147602f},
                                           {0.004733f, 0.691367f, 0.303900f}}}}};

// OKLab (Ottosson 2020) of a colour as seen.
std::array<float, 3> seen(Rgba c, const Vision& vision) {
  const Linear l = linear(c);
  Linear v{};
  for (std::size_t i = 0; i < 3; ++i)
    v[i] = std::clamp(vision[i][0] * l[0] + vision[i][1] * l[1] + vision[i][2] * l[2], 0.0f, 1.0f);
  const float x = std::cbrt(0.4122214708f * v[0] + 0.5363325363f * v[1] + 0.0514459929f * v[2]);
  const float y = std::cbrt(0.2119034982f * v[0] + 0.6806995451f * v[1] + 0.1073969566f * v[2]);
  const float z = std::cbrt(0.0883024619f * v[0] + 0.2817188376f * v[1] + 0.6299787005f * v[2]);
  return {0.2104542553f * x + 0.7936177850f * y - 0.0040720468f * z,
          1.9779984951f * x - 2.4285922050f * y + 0.4505937099f * z,
          0.0259040371f * x + 0.7827717662f * y - 0.8086757660f * z};
}

float distance(Rgba a, Rgba b, const Vision& vision) {
  const auto p = seen(a, vision), q = seen(b, vision);
  return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
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

TEST_CASE("eight heads are told apart with every kind of colour vision") {
  for (const bool dark : {true, false})
    for (const Vision& vision : visions)
      for (int a = 0; a < 8; ++a)
        for (int b = 0; b < a; ++b) {
          INFO("heads " << b << " and " << a << (dark ? ", dark" : ", light") << ", vision "
                        << &vision - visions.data());
          CHECK(distance(headColor(a, dark), headColor(b, dark), vision) > 0.12f);
        }
}

TEST_CASE("heads stand out from every ground") {
  for (const Theme& theme : {darkTheme(), lightTheme(), highContrast(true), highContrast(false)})
    for (int head = 0; head < 8; ++head)
      for (const Rgba ground : {theme.ground, theme.panel})
        CHECK(contrast(headColor(head, theme.dark), ground) > 3);
}

TEST_CASE("query, key and value are told apart with every kind of colour vision, and are readable as text") {
  for (const Theme& theme : {darkTheme(), lightTheme(), highContrast(true), highContrast(false)}) {
    for (const Vision& vision : visions) {
      CHECK(distance(theme.query, theme.key, vision) > 0.11f);
      CHECK(distance(theme.query, theme.value, vision) > 0.11f);
      CHECK(distance(theme.key, theme.value, vision) > 0.11f);
    }
    const bool isHigh = theme.ground == rgb(0x000000) || theme.ground == rgb(0xFFFFFF);
    for (const Rgba ink : {theme.query, theme.key, theme.value})
      for (const Rgba ground : {theme.ground, theme.panel})
        CHECK(contrast(ink, ground) >= (isHigh ? 7.0f : 4.5f));
  }
}

TEST_CASE("the maps keep their order with every kind of colour vision") {
  for (const bool dark : {true, false})
    for (const Vision& vision : visions) {
      const ColorTable sequential = colorTable(ColorMap::Sequential, dark);
      const ColorTable diverging = colorTable(ColorMap::Diverging, dark);
      for (std::size_t i = 16; i < 256; i += 16) {
        const float step = seen(sequential[i], vision)[0] - seen(sequential[i - 16], vision)[0];
        CHECK((dark ? step : -step) > 0);
      }
      for (std::size_t i = 24; i < 128; i += 8) {  // the same distance from zero on both sides
        INFO(i);
        CHECK(distance(diverging[127 - i], diverging[128 + i], vision) > 0.06f);
      }
    }
}

TEST_CASE("every text is readable on every ground it stands on") {
  for (const Theme& theme : {darkTheme(), lightTheme()}) {
    for (const Rgba ground : {theme.ground, theme.panel, theme.raised})
      for (const Rgba ink : {theme.text, theme.quiet, theme.broken}) CHECK(contrast(ink, ground) >= 4.5f);
    CHECK(contrast(theme.onAccent, theme.accent) >= 4.5f);
    // On what is selected: the accent, thinned, over a panel.
    CHECK(contrast(theme.text, mix(theme.panel, theme.accent, 0.28f)) >= 4.5f);
  }
}

TEST_CASE("with high contrast text stands at 7 to 1 on every ground, and lines and controls at 3 to 1") {
  for (const Theme& theme : {highContrast(true), highContrast(false)}) {
    for (const Rgba ink : {theme.text, theme.quiet}) CHECK(contrast(ink, theme.touched) >= 7);
    for (const Rgba ground : {theme.ground, theme.panel, theme.raised}) {
      for (const Rgba ink : {theme.text, theme.quiet, theme.broken, theme.accent})
        CHECK(contrast(ink, ground) >= 7);
      for (const Rgba mark : {theme.line, theme.attention, theme.feedForward})
        CHECK(contrast(mark, ground) >= 3);
    }
    CHECK(contrast(theme.onAccent, theme.accent) >= 7);
    CHECK(contrast(theme.text, mix(theme.panel, theme.accent, 0.28f)) >= 7);
  }
}

TEST_CASE("numbers on coloured cells are readable wherever the map goes") {
  for (const bool dark : {true, false})
    for (const ColorMap map : {ColorMap::Sequential, ColorMap::Diverging})
      for (const Rgba cell : colorTable(map, dark)) CHECK(contrast(inkOn(cell), cell) >= 4.5f);
}
