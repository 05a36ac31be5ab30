#pragma once
#include <array>

#include "app/scene/text_metrics.h"

struct ImFont;

namespace glassformer {

/// The built-in fonts, each with a fallback for the signs it lacks, in the current Dear ImGui context. Sizes
/// are em sizes as designers give them; Dear ImGui counts line heights, which differ per font.
class Fonts {
 public:
  Fonts();

  ImFont* font(FontFace face) const { return faces_[static_cast<std::size_t>(face)].font; }
  /// Dear ImGui's size for an em size.
  float lineHeight(FontFace face, float em) const {
    return em * faces_[static_cast<std::size_t>(face)].linePerEm;
  }
  float width(std::string_view text, FontFace face, float em) const;

 private:
  struct Face {
    ImFont* font = nullptr;
    float linePerEm = 1;
  };
  std::array<Face, 3> faces_;
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
