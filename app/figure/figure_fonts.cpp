#include "app/figure/figure_fonts.h"

#include <cairo-ft.h>

#include <unordered_map>

#include "core/text/utf8.h"

namespace glassformer {

// Fonts as cairo knows them, made where they are first drawn with. cairo keeps scaled fonts beyond the last
// reference to their face and finds them again by the FT_Face's address. So a font lives until cairo has let
// go of it.
struct FigureFonts::CairoFaces {
  std::unordered_map<const Font*, cairo_font_face_t*> faces;

  CairoFaces() = default;
  CairoFaces(const CairoFaces&) = delete;
  CairoFaces& operator=(const CairoFaces&) = delete;
  ~CairoFaces() {
    for (const auto& [font, face] : faces) cairo_font_face_destroy(face);
  }

  cairo_font_face_t* of(const Font& font) {
    using Owner = std::shared_ptr<const Font>;
    static constexpr cairo_user_data_key_t owner{};
    cairo_font_face_t*& face = faces[&font];
    if (face) return face;
    face = cairo_ft_font_face_create_for_ft_face(font.outlines(), FT_LOAD_NO_HINTING);
    cairo_font_face_set_user_data(face, &owner, new Owner(font.shared_from_this()),
                                  [](void* it) { delete static_cast<Owner*>(it); });
    return face;
  }
};

FigureFonts::FigureFonts() : cairoFaces_(std::make_unique<CairoFaces>()) {}
FigureFonts::~FigureFonts() = default;

float FigureFonts::width(std::string_view text, FontFace face, float size) const {
  return size * lettering_.laidOut(text, face).width;
}

float FigureFonts::lineHeight(FontFace face, float size) const {
  const Font& font = lettering_.font(face);
  return size * (font.ascent() - font.descent());
}

float FigureFonts::ascent(FontFace face, float size) const { return size * lettering_.font(face).ascent(); }

namespace {

// Which bytes each glyph or group of glyphs stands for, in the order they are written. A character without a
// glyph, such as one that only joins others, counts to the one before it.
std::vector<cairo_text_cluster_t> clustersOf(const ShapedRun& run) {
  std::vector<cairo_text_cluster_t> clusters;
  const std::size_t count = run.glyphs.size();
  const auto written = [&](std::size_t i) { return run.glyphs[run.rightToLeft ? count - 1 - i : i].cluster; };
  for (std::size_t i = 0, from = run.begin; i < count;) {
    std::size_t next = i + 1;
    while (next < count && written(next) == written(i)) ++next;
    const std::size_t to = next < count ? written(next) : run.end;
    clusters.push_back({static_cast<int>(to - from), static_cast<int>(next - i)});
    i = next, from = to;
  }
  return clusters;
}

std::vector<cairo_glyph_t> glyphsOf(const ShapedRun& run, float size) {
  std::vector<cairo_glyph_t> glyphs;
  for (const ShapedGlyph& glyph : run.glyphs)
    glyphs.push_back(
        {glyph.glyph, static_cast<double>(glyph.x * size), static_cast<double>(-glyph.y * size)});
  return glyphs;
}

}  // namespace

void FigureFonts::draw(cairo_t* cairo, std::string_view text, FontFace face, float size) const {
  for (const ShapedRun& run : lettering_.laidOut(text, face).runs) {
    if (run.glyphs.empty()) continue;
    const auto glyphs = glyphsOf(run, size);
    const auto clusters = clustersOf(run);
    cairo_set_font_face(cairo, cairoFaces_->of(*run.font));
    cairo_set_font_size(cairo, static_cast<double>(size));
    cairo_show_text_glyphs(
        cairo, text.data() + run.begin, static_cast<int>(run.end - run.begin), glyphs.data(),
        static_cast<int>(glyphs.size()), clusters.data(), static_cast<int>(clusters.size()),
        run.rightToLeft ? CAIRO_TEXT_CLUSTER_FLAG_BACKWARD : cairo_text_cluster_flags_t(0));
  }
}

}  // namespace glassformer
