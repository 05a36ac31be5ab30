#pragma once
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/text_shaping/lettering.h"

namespace glassformer {

/// A glyph of a font and where it stands, in ems; y upwards.
struct PlacedGlyph {
  const Font* font = nullptr;
  unsigned glyph = 0;
  float x = 0, y = 0;  ///< from where it would stand by itself
  float advance = 0;

  auto operator<=>(const PlacedGlyph&) const = default;
};

/// Dear ImGui draws characters, one after the other from left to right. So a glyph that no character stands
/// for (a joined letter, a mark on its letter) gets one of Unicode's private use: a shaped text is then a
/// text like any other. For one thread.
class ShapedCharacters {
 public:
  /// The text as Dear ImGui is to draw it, from left to right; itself where it needs no shaping. Stays valid
  /// until the next call.
  std::string_view shown(std::string_view text, FontFace face);
  ShapedText laidOut(std::string_view text, FontFace face) const { return lettering_.laidOut(text, face); }
  /// What a character is drawn with that shown() made, or that the built-in fonts lack; glyph 0 of no font
  /// where no font has it.
  PlacedGlyph glyphOf(char32_t character, FontFace face) const;

 private:
  std::string characters(std::string_view text, FontFace face);
  std::string character(const ShapedGlyph& glyph, const ShapedRun& run, float x, std::string_view text,
                        FontFace face);
  char32_t characterFor(const PlacedGlyph& glyph);

  Lettering lettering_;
  std::vector<PlacedGlyph> glyphs_;  ///< by private character
  std::map<PlacedGlyph, char32_t> characters_;
  std::array<std::unordered_map<std::string, std::string>, 3> shown_;  ///< by FontFace and text
};

}  // namespace glassformer
