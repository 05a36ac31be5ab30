#include "app/scene/colour.h"

#include <cmath>
#include <numbers>
#include <span>

namespace glassformer {

Rgba mix(Rgba a, Rgba b, float amount) {
  const auto between = [amount](std::uint8_t from, std::uint8_t to) {
    return static_cast<std::uint8_t>(
        std::lround(static_cast<float>(from) * (1 - amount) + static_cast<float>(to) * amount));
  };
  return {between(a.r, b.r), between(a.g, b.g), between(a.b, b.b), between(a.a, b.a)};
}

namespace {

struct Lab {
  float lightness, a, b;
};

std::uint8_t encoded(float linear) {
  const float c = std::clamp(linear, 0.0f, 1.0f);
  const float s = c <= 0.0031308f ? 12.92f * c : 1.055f * std::pow(c, 1 / 2.4f) - 0.055f;
  return static_cast<std::uint8_t>(std::lround(255 * s));
}

Rgba toRgba(const Lab& lab) {
  const auto cube = [](float v) { return v * v * v; };
  const float l = cube(lab.lightness + 0.3963377774f * lab.a + 0.2158037573f * lab.b);
  const float m = cube(lab.lightness - 0.1055613458f * lab.a - 0.0638541728f * lab.b);
  const float s = cube(lab.lightness - 0.0894841775f * lab.a - 1.2914855480f * lab.b);
  return {encoded(4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s),
          encoded(-1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s),
          encoded(-0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s), 255};
}

struct Lch {
  float lightness, chroma, hue;
};

Lab toLab(const Lch& c) {
  const float angle = c.hue * std::numbers::pi_v<float> / 180;
  return {c.lightness, c.chroma * std::cos(angle), c.chroma * std::sin(angle)};
}

// Evenly spaced stops of each map, from low to high.
constexpr Lch sequentialDark[] = {{0.215f, 0.014f, 265}, {0.36f, 0.10f, 275}, {0.50f, 0.13f, 255},
                                  {0.65f, 0.12f, 215},   {0.80f, 0.13f, 165}, {0.95f, 0.13f, 108}};
constexpr Lch sequentialLight[] = {{0.985f, 0.004f, 250}, {0.87f, 0.07f, 195}, {0.73f, 0.11f, 215},
                                   {0.57f, 0.14f, 250},   {0.41f, 0.14f, 270}, {0.24f, 0.10f, 285}};
constexpr Lch divergingDark[] = {{0.86f, 0.10f, 225},   {0.62f, 0.14f, 250}, {0.40f, 0.09f, 262},
                                 {0.235f, 0.006f, 265}, {0.40f, 0.09f, 45},  {0.62f, 0.15f, 55},
                                 {0.86f, 0.13f, 80}};
constexpr Lch divergingLight[] = {{0.34f, 0.13f, 265},   {0.56f, 0.14f, 252}, {0.80f, 0.08f, 235},
                                  {0.985f, 0.003f, 250}, {0.82f, 0.09f, 65},  {0.60f, 0.16f, 48},
                                  {0.38f, 0.11f, 38}};

std::span<const Lch> stopsOf(ColorMap map, bool dark) {
  if (map == ColorMap::Sequential) return dark ? std::span<const Lch>(sequentialDark) : sequentialLight;
  return dark ? std::span<const Lch>(divergingDark) : divergingLight;
}

}  // namespace

Rgba oklch(float lightness, float chroma, float hue) { return toRgba(toLab({lightness, chroma, hue})); }

Rgba colorAt(ColorMap map, float fraction, bool dark) {
  const auto stops = stopsOf(map, dark);
  const float at = std::clamp(fraction, 0.0f, 1.0f) * static_cast<float>(stops.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const float t = at - static_cast<float>(i);
  const Lab a = toLab(stops[i]), b = toLab(stops[i + 1]);
  return toRgba(
      {a.lightness + t * (b.lightness - a.lightness), a.a + t * (b.a - a.a), a.b + t * (b.b - a.b)});
}

Rgba signColor(double value, bool dark) {
  return colorAt(ColorMap::Diverging, value < 0 ? 0.2f : 0.8f, dark);
}

ColorTable colorTable(ColorMap map, bool dark) {
  ColorTable table;
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = colorAt(map, static_cast<float>(i) / 255, dark);
  return table;
}

// Found by a search for eight colours whose least distance in OKLab, seen with normal vision and with each of
// the three dichromacies, is as large as it gets; then ordered so that the first few lie furthest apart.
Rgba headColor(int head, bool dark) {
  constexpr std::array<Lch, 8> onDark{{{0.62f, 0.200f, 278},
                                       {0.92f, 0.173f, 104},
                                       {0.62f, 0.200f, 34},
                                       {0.78f, 0.146f, 169},
                                       {0.62f, 0.087f, 332},
                                       {0.93f, 0.070f, 206},
                                       {0.76f, 0.138f, 295},
                                       {0.76f, 0.166f, 69}}};
  constexpr std::array<Lch, 8> onLight{{{0.47f, 0.200f, 268},
                                        {0.65f, 0.180f, 46},
                                        {0.31f, 0.109f, 32},
                                        {0.62f, 0.073f, 337},
                                        {0.28f, 0.121f, 294},
                                        {0.45f, 0.097f, 330},
                                        {0.64f, 0.180f, 271},
                                        {0.50f, 0.168f, 38}}};
  const auto& heads = dark ? onDark : onLight;
  return toRgba(toLab(heads[static_cast<std::size_t>(head) % heads.size()]));
}

}  // namespace glassformer
