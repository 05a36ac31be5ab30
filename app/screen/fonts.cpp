#include "app/screen/fonts.h"

#include <algorithm>

#include <cfloat>
#include <initializer_list>

#include "app/embedded/embedded_file.h"
#include "app/screen/glyph_loader.h"
#include "imgui.h"

namespace glassformer {

namespace {

int bigEndian16(std::span<const std::byte> bytes, std::size_t at) {
  return static_cast<std::int16_t>(std::to_integer<int>(bytes[at]) << 8 |
                                   std::to_integer<int>(bytes[at + 1]));
}

// Start of a table of an OpenType file.
std::size_t tableOffset(std::span<const std::byte> file, std::string_view tag) {
  const int count = bigEndian16(file, 4);
  for (std::size_t at = 12, i = 0; i < static_cast<std::size_t>(count); ++i, at += 16)
    if (std::string_view(reinterpret_cast<const char*>(file.data() + at), 4) == tag)
      return static_cast<std::size_t>(static_cast<std::uint16_t>(bigEndian16(file, at + 8))) << 16 |
             static_cast<std::uint16_t>(bigEndian16(file, at + 10));
  assert(false && "a built-in font lacks a table");
  return 0;
}

float linePerEm(std::span<const std::byte> file) {
  const std::size_t head = tableOffset(file, "head"), hhea = tableOffset(file, "hhea");
  const int unitsPerEm = bigEndian16(file, head + 18);
  return static_cast<float>(bigEndian16(file, hhea + 4) - bigEndian16(file, hhea + 6)) /
         static_cast<float>(unitsPerEm);
}

// Private use is for shaped glyphs, though some of the built-in fonts have signs of their own there.
constexpr ImWchar privateUse[] = {0xE000, 0xF8FF, 0xF0000, 0x10FFFF, 0};

// Equal em sizes in one merged font: Dear ImGui scales by the ratio of the sources' SizePixels.
ImFont* addFont(std::string_view name, bool merge) {
  const auto file = embeddedFile(name);
  assert(!file.empty());
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.MergeMode = merge;
  config.GlyphExcludeRanges = privateUse;
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(
      const_cast<std::byte*>(file.data()), static_cast<int>(file.size()), 16 * linePerEm(file), &config);
}

// Behind the built-in ones: what only the system's fonts have, and what is no character by itself. Dear ImGui
// copies the source.
void addGlyphs(GlyphSource source) {
  ImFontConfig config;
  config.FontData = &source;
  config.FontDataSize = sizeof source;
  config.FontDataOwnedByAtlas = false;
  config.FontLoader = glyphLoader();
  config.MergeMode = true;
  config.SizePixels = 16 * source.linePerEm;
  ImGui::GetIO().Fonts->AddFont(&config);
}

}  // namespace

Fonts::Fonts() : characters_(std::make_unique<ShapedCharacters>()) {
  const auto load = [&](FontFace face, const char* name, std::initializer_list<const char*> fallbacks) {
    const float line = linePerEm(embeddedFile(name));
    faces_[static_cast<std::size_t>(face)] = {addFont(name, false), line};
    for (const char* fallback : fallbacks) addFont(fallback, true);
    addGlyphs({characters_.get(), face, line});
  };
  load(FontFace::Ui, "fonts/ui", {"fonts/ui-fallback"});
  load(FontFace::Strong, "fonts/strong", {"fonts/ui-fallback"});
  // The last for scripts that no monospaced font has, Hebrew for one.
  load(FontFace::Mono, "fonts/mono", {"fonts/mono-fallback", "fonts/ui-fallback"});
}

Fonts::~Fonts() = default;

std::string_view Fonts::shown(std::string_view text, FontFace face) const {
  return characters_->shown(text, face);
}

std::vector<SeenCharacters> Fonts::seen(std::string_view text, FontFace face, float em) const {
  if (!needsShaping(text)) return {};
  std::vector<SeenCharacters> all;
  float x = 0;
  for (const ShapedRun& run : characters_->laidOut(text, face).runs) {
    const std::size_t first = all.size();
    for (const ShapedGlyph& glyph : run.glyphs) {
      const float width = glyph.advance * em;
      if (all.size() > first && all.back().begin == glyph.cluster)
        all.back().width += width;
      else
        all.push_back({glyph.cluster, run.end, x, width, run.rightToLeft});
      x += width;
    }
    for (std::size_t i = first; i < all.size(); ++i)  // up to the next ones as they are written
      for (std::size_t k = first; k < all.size(); ++k)
        if (all[k].begin > all[i].begin) all[i].end = std::min(all[i].end, all[k].begin);
  }
  return all;
}

float Fonts::width(std::string_view text, FontFace face, float em) const {
  const std::string_view drawn = shown(text, face);
  return font(face)
      ->CalcTextSizeA(lineHeight(face, em), FLT_MAX, 0, drawn.data(), drawn.data() + drawn.size())
      .x;
}

}  // namespace glassformer
