#pragma once
#include <array>
#include <memory>
#include <vector>

#include "app/scene/text_metrics.h"

struct ImFont;

namespace glassformer {

class ShapedCharacters;

/// Where characters of a shaped text are seen that are drawn together, in pixels from its left end.
struct SeenCharacters {
  std::size_t begin = 0, end = 0;  ///< their bytes
  float x = 0, width = 0;
  bool leftwards = false;
};

/// The built-in fonts, each with a fallback for the signs it lacks and the system's fonts behind them, in the
/// current Dear ImGui context, which draws with them no longer than they live. Sizes are em sizes as
/// designers give them; Dear ImGui counts line heights, which differ per font.
class Fonts {
 public:
  Fonts();
  ~Fonts();

  ImFont* font(FontFace face) const { return faces_[static_cast<std::size_t>(face)].font; }
  /// Dear ImGui's size for an em size.
  float lineHeight(FontFace face, float em) const {
    return em * faces_[static_cast<std::size_t>(face)].linePerEm;
  }
  float width(std::string_view text, FontFace face, float em) const;
  /// The characters to draw for a text: its own, or where letters join or run from right to left those that
  /// stand for its shaped glyphs. Stays valid until the next call.
  std::string_view shown(std::string_view text, FontFace face) const;
  /// All of a text, where letters join or run from right to left; else nothing.
  std::vector<SeenCharacters> seen(std::string_view text, FontFace face, float em) const;

 private:
  struct Face {
    ImFont* font = nullptr;
    float linePerEm = 1;
  };
  std::array<Face, 3> faces_;
  std::unique_ptr<ShapedCharacters> characters_;
};

/// Measures as the fonts will come out at this display scale.
class ScreenMetrics : public TextMetrics {
 public:
  ScreenMetrics(const Fonts& fonts, float scale) : fonts_(fonts), scale_(scale) {}
  float width(std::string_view text, FontFace face, float size) const override {
    return fonts_.width(text, face, size * scale_) / scale_;
  }

 private:
  const Fonts& fonts_;
  float scale_;
};

}  // namespace glassformer
