#include "app/text_shaping/lettering.h"

#include <algorithm>

#include "core/text/utf8.h"

namespace glassformer {

namespace {

struct CharacterRange {
  char32_t first, last;
};

// Characters from U+0300 on that stand one after the other: neither marks nor joining nor from right to left.
constexpr CharacterRange unshaped[] = {
    {0x0370, 0x0482},   {0x048A, 0x058F},   {0x10A0, 0x10FF},   {0x1200, 0x135C},  {0x1360, 0x16FF},
    {0x1D00, 0x1DBF},   {0x1E00, 0x200A},   {0x2010, 0x2029},   {0x202F, 0x205F},  {0x2070, 0x20CF},
    {0x2100, 0x2CEE},   {0x2D00, 0x2D7E},   {0x2E00, 0x3029},   {0x3030, 0x3098},  {0x309B, 0xA66E},
    {0xAC00, 0xD7A3},   {0xF900, 0xFB06},   {0xFE30, 0xFE6F},   {0xFF00, 0xFFFD},  {0x1D400, 0x1D7FF},
    {0x1F000, 0x1F1E5}, {0x1F200, 0x1F3FA}, {0x1F400, 0x1FAFF}, {0x20000, 0x3FFFD}};

bool isShaped(char32_t c) {
  const auto holds = [c](const CharacterRange& range) { return c >= range.first && c <= range.last; };
  return c >= 0x300 && std::none_of(std::begin(unshaped), std::end(unshaped), holds);
}

}  // namespace

bool needsShaping(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (static_cast<unsigned char>(text[i]) < 0xCC) continue;  // below U+0300, or inside a character
    const CodePoint c = codePointAt(text, i);
    if (c.valid && isShaped(c.value)) return true;
    i += static_cast<std::size_t>(c.bytes) - 1;
  }
  return false;
}

Lettering::Lettering() {
  const auto ui = Font::builtIn("fonts/ui", "Inter"), strong = Font::builtIn("fonts/strong", "Inter"),
             mono = Font::builtIn("fonts/mono", "JetBrains Mono"),
             signs = Font::builtIn("fonts/ui-fallback", "DejaVu Sans"),
             monoSigns = Font::builtIn("fonts/mono-fallback", "DejaVu Sans Mono");
  chains_[static_cast<std::size_t>(FontFace::Ui)] = {ui, signs};
  chains_[static_cast<std::size_t>(FontFace::Strong)] = {strong, signs};
  // The last for scripts that no monospaced font has, Hebrew for one.
  chains_[static_cast<std::size_t>(FontFace::Mono)] = {mono, monoSigns, signs};
}

const Font& Lettering::fontOf(FontFace face, char32_t character) const {
  for (const auto& font : chains_[static_cast<std::size_t>(face)])
    if (font->glyph(character)) return *font;
  const auto [known, isNew] = systems_.try_emplace(character);
  if (isNew) known->second = system_.with(character);
  return known->second ? *known->second : font(face);
}

ShapedText Lettering::laidOut(std::string_view text, FontFace face) const {
  return needsShaping(text) ? shaped(text, face) : plain(text, face);
}

// One glyph per character, at its plain advance.
ShapedText Lettering::plain(std::string_view text, FontFace face) const {
  ShapedText laid;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint c = codePointAt(text, i);
    const Font& font = fontOf(face, c.value);
    if (laid.runs.empty() || laid.runs.back().font != &font) laid.runs.push_back({&font, false, i, i, {}});
    const unsigned glyph = font.glyph(c.value);
    const float advance = font.advance(glyph);
    laid.runs.back().glyphs.push_back({glyph, laid.width, 0, advance, i});
    laid.width += advance;
    laid.runs.back().end = i += static_cast<std::size_t>(c.bytes);
  }
  return laid;
}

}  // namespace glassformer
