#include "app/figure/figure_fonts.h"

#include <cairo-ft.h>
#include <ft2build.h>
#include <array>
#include FT_FREETYPE_H
#include FT_ADVANCES_H

#include "app/embedded/embedded_file.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

// One font file.
struct Face {
  const char* file = nullptr;
  FT_Face type = nullptr;
  cairo_font_face_t* cairo = nullptr;

  float perEm(FT_Pos units) const {
    return static_cast<float>(units) / static_cast<float>(type->units_per_EM);
  }
  unsigned glyph(char32_t c) const { return FT_Get_Char_Index(type, c); }
  float advance(unsigned glyph) const {
    FT_Fixed units = 0;
    FT_Get_Advance(type, glyph, FT_LOAD_NO_SCALE, &units);
    return perEm(units);
  }
};

}  // namespace

struct FigureFonts::Library {
  std::array<std::array<Face, 2>, 3> faces;  // by FontFace: the face and its fallback

  Library() {
    const std::array<std::array<const char*, 2>, 3> names{{{"fonts/ui", "fonts/ui-fallback"},
                                                           {"fonts/strong", "fonts/ui-fallback"},
                                                           {"fonts/mono", "fonts/mono-fallback"}}};
    for (std::size_t i = 0; i < faces.size(); ++i)
      for (std::size_t j = 0; j < 2; ++j) faces[i][j] = open(names[i][j]);
  }
  ~Library() {
    for (auto& pair : faces)
      for (Face& face : pair) cairo_font_face_destroy(face.cairo);
  }

  // cairo keeps scaled fonts beyond the last reference to their face and finds them again by the FT_Face's
  // address. So each face (in a library of its own) lives until cairo has let go of it.
  static Face open(const char* name) {
    static constexpr cairo_user_data_key_t owner{};
    const auto file = embeddedFile(name);
    FT_Library library = nullptr;
    FT_Init_FreeType(&library);
    Face face;
    face.file = name;
    FT_New_Memory_Face(library, reinterpret_cast<const FT_Byte*>(file.data()),
                       static_cast<FT_Long>(file.size()), 0, &face.type);
    face.cairo = cairo_ft_font_face_create_for_ft_face(face.type, FT_LOAD_NO_HINTING);
    cairo_font_face_set_user_data(face.cairo, &owner, library,
                                  [](void* it) { FT_Done_FreeType(static_cast<FT_Library>(it)); });
    return face;
  }

  const Face& faceOf(FontFace which, char32_t character) const {
    const auto& pair = faces[static_cast<std::size_t>(which)];
    return pair[0].glyph(character) || !pair[1].glyph(character) ? pair[0] : pair[1];
  }
  // Calls visit(face, glyph, bytes, x) for every character; x in ems. Returns the width in ems.
  template <typename Visit>
  float layOut(std::string_view text, FontFace which, Visit visit) const {
    float x = 0;
    for (std::size_t i = 0; i < text.size();) {
      const CodePoint c = codePointAt(text, i);
      i += static_cast<std::size_t>(c.bytes);
      const Face& face = faceOf(which, c.value);
      const unsigned glyph = face.glyph(c.value);
      visit(face, glyph, c.bytes, x);
      x += face.advance(glyph);
    }
    return x;
  }
};

FigureFonts::FigureFonts() : library_(std::make_unique<Library>()) {}
FigureFonts::~FigureFonts() = default;

float FigureFonts::width(std::string_view text, FontFace face, float size) const {
  return size * library_->layOut(text, face, [](const Face&, unsigned, int, float) {});
}

float FigureFonts::lineHeight(FontFace which, float size) const {
  const Face& face = library_->faces[static_cast<std::size_t>(which)][0];
  return size * (face.perEm(face.type->ascender) - face.perEm(face.type->descender));
}

float FigureFonts::ascent(FontFace which, float size) const {
  const Face& face = library_->faces[static_cast<std::size_t>(which)][0];
  return size * face.perEm(face.type->ascender);
}

const char* FigureFonts::fileOf(FontFace which, char32_t character) const {
  return library_->faceOf(which, character).file;
}

namespace {

// Neighbouring characters from one file.
struct GlyphRun {
  const Face* face = nullptr;
  std::string_view text;
  std::vector<cairo_glyph_t> glyphs;
  std::vector<cairo_text_cluster_t> clusters;  // one glyph per character

  void show(cairo_t* cairo, float size) const {
    if (glyphs.empty()) return;
    cairo_set_font_face(cairo, face->cairo);
    cairo_set_font_size(cairo, static_cast<double>(size));
    cairo_show_text_glyphs(cairo, text.data(), static_cast<int>(text.size()), glyphs.data(),
                           static_cast<int>(glyphs.size()), clusters.data(),
                           static_cast<int>(clusters.size()), cairo_text_cluster_flags_t(0));
  }
};

}  // namespace

void FigureFonts::draw(cairo_t* cairo, std::string_view text, FontFace which, float size) const {
  GlyphRun run;
  std::size_t at = 0, begin = 0;
  library_->layOut(text, which, [&](const Face& face, unsigned glyph, int bytes, float x) {
    if (run.face != &face) {
      run.show(cairo, size);
      run = {&face, {}, {}, {}};
      begin = at;
    }
    run.glyphs.push_back({glyph, static_cast<double>(x * size), 0});
    run.clusters.push_back({bytes, 1});
    at += static_cast<std::size_t>(bytes);
    run.text = text.substr(begin, at - begin);
  });
  run.show(cairo, size);
}

}  // namespace glassformer
