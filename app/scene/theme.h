#pragma once
#include "app/scene/geometry.h"

namespace glassformer {

/// Every colour and measure of the look, in one place. Sizes are in pixels at 100 %.
struct Theme {
  bool dark = true;
  Rgba ground, panel, raised, line, text, quiet;
  Rgba accent;                  ///< only for what is selected or can be acted on
  Rgba onAccent;                ///< text on the accent
  Rgba masked;                  ///< cells the causal mask took away
  Rgba broken;                  ///< NaN and infinities
  Rgba attention, feedForward;  ///< what each half of a block adds

  static constexpr float small = 13, body = 16, title = 20, large = 28;  ///< text sizes
  static constexpr float grid = 8;  ///< every distance is a multiple, or half, of it
  static constexpr float radius = 6;
  static constexpr float hairline = 1;
  static constexpr float control = 32;  ///< height of a button or field
};

inline Theme darkTheme() {
  Theme t;
  t.dark = true;
  t.ground = rgb(0x14161A), t.panel = rgb(0x1B1E24), t.raised = rgb(0x242831), t.line = rgb(0x2E333D);
  t.text = rgb(0xE6E8EC), t.quiet = rgb(0x9AA3B2), t.accent = rgb(0x5B9DFF), t.onAccent = rgb(0x0B1220);
  t.masked = rgb(0x22262E), t.broken = rgb(0xFF4D6D);
  t.attention = rgb(0x5FB3E6), t.feedForward = rgb(0xE0A458);
  return t;
}

inline Theme lightTheme() {
  Theme t;
  t.dark = false;
  t.ground = rgb(0xF6F7F9), t.panel = rgb(0xFFFFFF), t.raised = rgb(0xEEF1F5), t.line = rgb(0xD5DAE2);
  t.text = rgb(0x14171C), t.quiet = rgb(0x5A6475), t.accent = rgb(0x1F5FD1), t.onAccent = rgb(0xFFFFFF);
  t.masked = rgb(0xE7EAF0), t.broken = rgb(0xC81E45);
  t.attention = rgb(0x1F78B4), t.feedForward = rgb(0xB36A12);
  return t;
}

}  // namespace glassformer
