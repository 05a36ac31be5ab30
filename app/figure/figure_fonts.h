#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "app/scene/text_metrics.h"
#include "app/text_shaping/lettering.h"

typedef struct _cairo cairo_t;  // NOLINT(bugprone-reserved-identifier): the name is cairo's

namespace glassformer {

/// The fonts for figures: the same faces and fallbacks as in the window, drawn by cairo as real glyphs.
/// Letters stand at their plain advances, without kerning, as in the window; where scripts ask for it they
/// are shaped. For one thread.
class FigureFonts : public TextMetrics {
 public:
  FigureFonts();
  ~FigureFonts() override;

  float width(std::string_view text, FontFace face, float size) const override;
  /// Height of a line of that em size, and how far its baseline lies below its top.
  float lineHeight(FontFace face, float size) const;
  float ascent(FontFace face, float size) const;
  const Lettering& lettering() const { return lettering_; }
  /// Draws with the left end of the baseline at the current origin, in the current colour, as runs of glyphs
  /// with the characters they stand for.
  void draw(cairo_t* cairo, std::string_view text, FontFace face, float size) const;

 private:
  struct CairoFaces;

  Lettering lettering_;
  std::unique_ptr<CairoFaces> cairoFaces_;
};

}  // namespace glassformer
