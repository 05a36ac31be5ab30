#pragma once
#include "app/screen/shaped_characters.h"

struct ImFontLoader;

namespace glassformer {

/// What a font source with glyphLoader() holds as its data.
struct GlyphSource {
  const ShapedCharacters* characters = nullptr;
  FontFace face = FontFace::Ui;
  float linePerEm = 1;  ///< of the face: Dear ImGui counts line heights
};

/// Loads glyphs into Dear ImGui's atlas when a text is first drawn that needs them: shaped ones, and those
/// that only the system's fonts have. Rasterized by FreeType, which takes any font of them and glyphs by
/// index.
const ImFontLoader* glyphLoader();

}  // namespace glassformer
