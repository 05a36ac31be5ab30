#pragma once
#include "app/scene/geometry.h"

namespace glassformer {

enum class FontFace { Ui, Strong, Mono };

struct TextStyle {
  FontFace face = FontFace::Ui;
  float size = 13;
  Rgba color;
};

/// Every colour and measure of the look, in one place. Sizes are in pixels at 100 %.
struct Theme {
  bool dark = true;
  Rgba ground, panel, raised, line, text, quiet;
  Rgba touched;                 ///< the ground of what is pointed at or held
  Rgba accent;                  ///< only for what is selected or can be acted on
  Rgba onAccent;                ///< text on the accent
  Rgba masked;                  ///< cells the causal mask took away
  Rgba broken;                  ///< NaN and infinities
  Rgba attention, feedForward;  ///< what each half of a block adds
  Rgba query, key, value;       ///< what attention compares, and what it hands on

  static constexpr float small = 13, body = 16, title = 20, large = 28;  ///< text sizes
  // What most texts are written in: words, tokens and numbers, and quietly what is said beside them.
  TextStyle plain() const { return {FontFace::Ui, small, text}; }
  TextStyle note() const { return {FontFace::Ui, small, quiet}; }
  TextStyle strong() const { return {FontFace::Strong, small, text}; }
  TextStyle mono() const { return {FontFace::Mono, small, text}; }
  TextStyle quietMono() const { return {FontFace::Mono, small, quiet}; }
  TextStyle heading() const { return {FontFace::Strong, body, text}; }

  static constexpr float grid = 8;  ///< every distance is a multiple, or half, of it
  static constexpr float radius = 6;
  static constexpr float hairline = 1;
  static constexpr float control = 32;  ///< height of a button or field
};

inline Theme darkTheme() {
  Theme t;
  t.dark = true;
  t.ground = rgb(0x14161A), t.panel = rgb(0x1B1E24), t.raised = rgb(0x242831),
  t.line = t.touched = rgb(0x2E333D);
  t.text = rgb(0xE6E8EC), t.quiet = rgb(0x9AA3B2), t.accent = rgb(0x5B9DFF), t.onAccent = rgb(0x0B1220);
  t.masked = rgb(0x22262E), t.broken = rgb(0xFF4D6D);
  t.attention = rgb(0x5FB3E6), t.feedForward = rgb(0xE0A458);
  t.query = rgb(0xC9A8FF), t.key = rgb(0x4588F2), t.value = rgb(0x7BE08A);
  return t;
}

inline Theme lightTheme() {
  Theme t;
  t.dark = false;
  t.ground = rgb(0xF6F7F9), t.panel = rgb(0xFFFFFF), t.raised = rgb(0xEEF1F5),
  t.line = t.touched = rgb(0xD5DAE2);
  t.text = rgb(0x14171C), t.quiet = rgb(0x5A6475), t.accent = rgb(0x1F5FD1), t.onAccent = rgb(0xFFFFFF);
  t.masked = rgb(0xE7EAF0), t.broken = rgb(0xC81E45);
  t.attention = rgb(0x1F78B4), t.feedForward = rgb(0xB36A12);
  t.query = rgb(0x9440CC), t.key = rgb(0x0A3C8C), t.value = rgb(0x2E7D14);
  return t;
}

/// For bad projectors, bright rooms and tired eyes: all text on its ground at 7 : 1 at least (WCAG 2.2, AAA),
/// and lines, which are hairlines otherwise, at 3 : 1.
inline Theme highContrast(bool dark) {
  Theme t = dark ? darkTheme() : lightTheme();
  t.ground = t.panel = dark ? rgb(0x000000) : rgb(0xFFFFFF);
  t.raised = t.masked = dark ? rgb(0x1C1E22) : rgb(0xEDEFF2);
  t.line = dark ? rgb(0x8C94A1) : rgb(0x6B7280), t.touched = dark ? rgb(0x34383F) : rgb(0xD3D8DF);
  t.text = dark ? rgb(0xFFFFFF) : rgb(0x000000), t.quiet = dark ? rgb(0xD3D8E0) : rgb(0x2E3540);
  t.accent = dark ? rgb(0x8DBBFF) : rgb(0x0B3FA0), t.onAccent = dark ? rgb(0x000000) : rgb(0xFFFFFF);
  t.broken = dark ? rgb(0xFF8FA3) : rgb(0x960C2C);
  t.attention = dark ? rgb(0x7CC8F5) : rgb(0x0F5A8E), t.feedForward = dark ? rgb(0xF2B866) : rgb(0x7D4400);
  t.query = dark ? rgb(0xDDBEFF) : rgb(0x7D28B0), t.key = dark ? rgb(0x6A9FFA) : rgb(0x082560),
  t.value = dark ? rgb(0x98F58A) : rgb(0x1B5E0A);
  return t;
}

inline Theme themeFor(bool dark, bool contrast) {
  return contrast ? highContrast(dark) : dark ? darkTheme() : lightTheme();
}

}  // namespace glassformer
