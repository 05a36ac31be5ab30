#include "app/screen/fonts.h"

#include <cfloat>

#include "app/embedded/embedded_file.h"
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

// Equal em sizes in one merged font: Dear ImGui scales by the ratio of the sources' SizePixels.
ImFont* addFont(std::string_view name, bool merge) {
  const auto file = embeddedFile(name);
  assert(!file.empty());
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.MergeMode = merge;
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(
      const_cast<std::byte*>(file.data()), static_cast<int>(file.size()), 16 * linePerEm(file), &config);
}

}  // namespace

Fonts::Fonts() {
  const auto load = [&](FontFace face, const char* name, const char* fallback) {
    faces_[static_cast<std::size_t>(face)] = {addFont(name, false), linePerEm(embeddedFile(name))};
    addFont(fallback, true);
  };
  load(FontFace::Ui, "fonts/ui", "fonts/ui-fallback");
  load(FontFace::Strong, "fonts/strong", "fonts/ui-fallback");
  load(FontFace::Mono, "fonts/mono", "fonts/mono-fallback");
  addFont("fonts/ui-fallback", true);  // scripts that no monospaced font has, Hebrew for one
}

float Fonts::width(std::string_view text, FontFace face, float em) const {
  return font(face)
      ->CalcTextSizeA(lineHeight(face, em), FLT_MAX, 0, text.data(), text.data() + text.size())
      .x;
}

}  // namespace glassformer
