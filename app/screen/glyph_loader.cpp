#include "app/screen/glyph_loader.h"

#include <ft2build.h>

#include <cmath>

#include "imgui.h"
#include "imgui_internal.h"
#include FT_FREETYPE_H
#include FT_OUTLINE_H

namespace glassformer {

namespace {

const GlyphSource& sourceOf(const ImFontConfig* config) {
  return *static_cast<const GlyphSource*>(config->FontData);
}

bool containsGlyph(ImFontAtlas*, ImFontConfig* config, ImWchar character) {
  const GlyphSource& source = sourceOf(config);
  return character >= 32 && source.characters->glyphOf(character, source.face).font;
}

// The glyph's pixels in the face's slot; null for blanks and what FreeType cannot draw.
FT_GlyphSlot rasterized(const PlacedGlyph& glyph, float pixelsPerEm) {
  const FT_Face face = glyph.font->outlines();
  const auto fixed = [](float pixels) { return static_cast<FT_Pos>(std::lround(pixels * 64)); };
  if (FT_Set_Char_Size(face, 0, fixed(pixelsPerEm), 72, 72) ||
      FT_Load_Glyph(face, glyph.glyph, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) ||
      face->glyph->format != FT_GLYPH_FORMAT_OUTLINE)
    return nullptr;
  FT_Outline_Translate(&face->glyph->outline, fixed(glyph.x * pixelsPerEm), fixed(glyph.y * pixelsPerEm));
  if (FT_Render_Glyph(face->glyph, FT_RENDER_MODE_NORMAL)) return nullptr;
  return face->glyph->bitmap.width && face->glyph->bitmap.rows ? face->glyph : nullptr;
}

// Puts the pixels into the atlas and says where they belong around the pen.
bool place(ImFontAtlas* atlas, ImFontConfig* config, ImFontBaked* baked, FT_GlyphSlot slot,
           ImFontGlyph* out) {
  const auto width = static_cast<int>(slot->bitmap.width), height = static_cast<int>(slot->bitmap.rows);
  const ImFontAtlasRectId id = ImFontAtlasPackAddRect(atlas, width, height);
  if (id == ImFontAtlasRectId_Invalid) return false;
  ImTextureRect* const room = ImFontAtlasPackGetRect(atlas, id);
  const float perPixel = 1 / (config->RasterizerDensity * baked->RasterizerDensity);
  out->X0 = static_cast<float>(slot->bitmap_left) * perPixel;
  out->Y0 = std::round(baked->Ascent) - static_cast<float>(slot->bitmap_top) * perPixel;
  out->X1 = out->X0 + static_cast<float>(width) * perPixel;
  out->Y1 = out->Y0 + static_cast<float>(height) * perPixel;
  out->Visible = true;
  out->PackId = id;
  ImFontAtlasBakedSetFontGlyphBitmap(atlas, baked, config, out, room, slot->bitmap.buffer,
                                     ImTextureFormat_Alpha8, slot->bitmap.pitch);
  return true;
}

bool loadGlyph(ImFontAtlas* atlas, ImFontConfig* config, ImFontBaked* baked, void*, ImWchar character,
               ImFontGlyph* out, float* advance) {
  const GlyphSource& source = sourceOf(config);
  if (character < 32) return false;
  const PlacedGlyph glyph = source.characters->glyphOf(character, source.face);
  if (!glyph.font) return false;
  const float em = baked->Size / source.linePerEm;
  if (advance) {
    *advance = glyph.advance * em;
    return true;
  }
  out->Codepoint = character;
  out->AdvanceX = glyph.advance * em;
  FT_GlyphSlot slot = rasterized(glyph, em * config->RasterizerDensity * baked->RasterizerDensity);
  return !slot || place(atlas, config, baked, slot, out);
}

}  // namespace

const ImFontLoader* glyphLoader() {
  static const ImFontLoader loader = [] {
    ImFontLoader made;
    made.Name = "shaped and system glyphs";
    made.FontSrcContainsGlyph = containsGlyph;
    made.FontBakedLoadGlyph = loadGlyph;
    return made;
  }();
  return &loader;
}

}  // namespace glassformer
