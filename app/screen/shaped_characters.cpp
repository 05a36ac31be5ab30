#include "app/screen/shaped_characters.h"

#include <cmath>
#include <optional>

#include "core/text/utf8.h"

namespace glassformer {

namespace {

// Dear ImGui keeps an entry for every character up to the highest one it has drawn: the low ones first.
constexpr char32_t lowest = 0xE000, lowCount = 0xF900 - lowest, highest = 0xF0000, highCount = 0xFFFE;
constexpr std::size_t mostTexts = 4096;

bool isPrivate(char32_t c) {
  return (c >= lowest && c < lowest + lowCount) || (c >= highest && c < 0x110000);
}

std::optional<std::size_t> numberOf(char32_t c) {
  if (!isPrivate(c)) return {};
  return c < highest ? c - lowest : c - highest + lowCount;
}

}  // namespace

std::string_view ShapedCharacters::shown(std::string_view text, FontFace face) {
  if (!needsShaping(text)) return text;
  auto& known = shown_[static_cast<std::size_t>(face)];
  std::string key(text);
  if (const auto found = known.find(key); found != known.end()) return found->second;
  if (known.size() >= mostTexts) known.clear();
  std::string made = characters(text, face);
  return known.emplace(std::move(key), std::move(made)).first->second;
}

std::string ShapedCharacters::characters(std::string_view text, FontFace face) {
  std::string made;
  float x = 0;
  for (const ShapedRun& run : lettering_.laidOut(text, face).runs)
    for (const ShapedGlyph& glyph : run.glyphs) {
      made += character(glyph, run, x, text, face);
      x += glyph.advance;
    }
  return made;
}

// The text's own character where it is drawn as it would be by itself.
std::string ShapedCharacters::character(const ShapedGlyph& glyph, const ShapedRun& run, float x,
                                        std::string_view text, FontFace face) {
  const char32_t own = codePointAt(text, glyph.cluster).value;
  // Whole thousandths of an em, so that the same mark at another place in the line stays the same glyph.
  const auto rounded = [](float ems) { return std::round(ems * 1000) / 1000; };
  const PlacedGlyph placed{run.font, glyph.glyph, rounded(glyph.x - x), rounded(glyph.y), glyph.advance};
  const bool plain = placed.x == 0 && placed.y == 0 && !isPrivate(own) &&
                     &lettering_.fontOf(face, own) == run.font && run.font->glyph(own) == glyph.glyph &&
                     glyph.glyph && run.font->advance(glyph.glyph) == glyph.advance;
  return encodeUtf8(plain ? own : characterFor(placed));
}

char32_t ShapedCharacters::characterFor(const PlacedGlyph& glyph) {
  const auto known = characters_.find(glyph);
  if (known != characters_.end()) return known->second;
  const std::size_t number = glyphs_.size();
  if (number == lowCount + highCount) return 0xFFFD;  // more glyphs than a person can have typed
  glyphs_.push_back(glyph);
  const char32_t character =
      static_cast<char32_t>(number < lowCount ? lowest + number : highest + number - lowCount);
  return characters_[glyph] = character;
}

PlacedGlyph ShapedCharacters::glyphOf(char32_t character, FontFace face) const {
  if (const auto number = numberOf(character); number && *number < glyphs_.size()) return glyphs_[*number];
  const Font& font = lettering_.fontOf(face, character);
  const unsigned glyph = font.glyph(character);
  return glyph ? PlacedGlyph{&font, glyph, 0, 0, font.advance(glyph)} : PlacedGlyph{};
}

}  // namespace glassformer
