#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "app/scene/text_metrics.h"

typedef struct _cairo cairo_t;  // NOLINT(bugprone-reserved-identifier): the name is cairo's

namespace glassformer {

/// The built-in fonts for figures: the same faces and fallbacks as in the window, drawn by cairo as real
/// glyphs. Letters stand at their plain advances, without kerning, as in the window. For one thread.
class FigureFonts : public TextMetrics {
 public:
  FigureFonts();
  ~FigureFonts() override;

  float width(std::string_view text, FontFace face, float size) const override;
  /// Height of a line of that em size, and how far its baseline lies below its top.
  float lineHeight(FontFace face, float size) const;
  float ascent(FontFace face, float size) const;
  /// The built-in file ("fonts/ui", "fonts/ui-fallback") that a character is drawn from.
  const char* fileOf(FontFace face, char32_t character) const;
  /// Draws with the left end of the baseline at the current origin, in the current colour, as one run of
  /// glyphs per file with the characters they stand for.
  void draw(cairo_t* cairo, std::string_view text, FontFace face, float size) const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace glassformer
