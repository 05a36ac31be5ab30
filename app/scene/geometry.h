#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace glassformer {

/// Places in a Scene, in pixels at 100 % size, y downwards.
struct Point {
  float x = 0, y = 0;
  bool operator==(const Point&) const = default;
};

struct Box {
  float x = 0, y = 0, width = 0, height = 0;

  float right() const { return x + width; }
  float bottom() const { return y + height; }
  Point center() const { return {x + width / 2, y + height / 2}; }
  bool contains(Point p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
  Box inset(float dx, float dy) const {
    return {x + dx, y + dy, std::max(0.0f, width - 2 * dx), std::max(0.0f, height - 2 * dy)};
  }
  Box inset(float d) const { return inset(d, d); }
  /// Cell (row, column) of a grid that fills the box.
  Box cell(int row, int column, int rows, int columns) const {
    const float w = width / static_cast<float>(columns), h = height / static_cast<float>(rows);
    return {x + static_cast<float>(column) * w, y + static_cast<float>(row) * h, w, h};
  }
  /// Cuts a strip off one side and keeps the rest.
  Box takeTop(float h) {
    const Box strip{x, y, width, std::min(h, height)};
    y += strip.height, height -= strip.height;
    return strip;
  }
  Box takeBottom(float h) {
    const float taken = std::min(h, height);
    height -= taken;
    return {x, bottom(), width, taken};
  }
  Box takeLeft(float w) {
    const Box strip{x, y, std::min(w, width), height};
    x += strip.width, width -= strip.width;
    return strip;
  }
  Box takeRight(float w) {
    const float taken = std::min(w, width);
    width -= taken;
    return {right(), y, taken, height};
  }
  bool operator==(const Box&) const = default;
};

/// Least and greatest value that a colour or length scale covers.
struct Range {
  float low = 0, high = 1;
  bool logarithmic = false;  ///< equal ratios are equally far apart; low is above zero

  float fraction(float value) const {
    if (!(high > low)) return 0;
    if (logarithmic) return std::log(std::max(value, smallest) / low) / std::log(high / low);
    return (value - low) / (high - low);
  }
  static constexpr float smallest = 1e-30f;
  bool operator==(const Range&) const = default;
};

/// A colour in sRGB, alpha not premultiplied.
struct Rgba {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;

  Rgba faded(float alpha) const {
    return {r, g, b, static_cast<std::uint8_t>(static_cast<float>(a) * std::clamp(alpha, 0.0f, 1.0f) + 0.5f)};
  }
  bool operator==(const Rgba&) const = default;
};

constexpr Rgba rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8),
          static_cast<std::uint8_t>(hex), 255};
}

/// `amount` 0 gives a, 1 gives b.
Rgba mix(Rgba a, Rgba b, float amount);

}  // namespace glassformer
