#pragma once
#include <string_view>

#include "app/scene/text_metrics.h"

namespace glassformer {

/// Widths close to those of the real fonts, so that layouts can be tested without any.
class PlainMetrics : public TextMetrics {
 public:
  float width(std::string_view text, FontFace face, float size) const override {
    int letters = 0;
    for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    return static_cast<float>(letters) * size * (face == FontFace::Mono ? 0.6f : 0.55f);
  }
};

/// The dark theme with these.
inline Typography plainTypography() {
  static const Theme theme = darkTheme();
  static const PlainMetrics metrics;
  return {theme, metrics};
}

}  // namespace glassformer
