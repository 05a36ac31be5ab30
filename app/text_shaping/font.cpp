#include "app/text_shaping/font.h"

#include <ft2build.h>
#include <hb.h>
#include FT_FREETYPE_H
#include FT_ADVANCES_H

#include "app/embedded/embedded_file.h"

namespace glassformer {

// A FreeType library of its own for each: whoever draws with the face may outlive all other fonts.
struct Font::Handles {
  hb_blob_t* blob = nullptr;
  FT_Library library = nullptr;
  FT_Face face = nullptr;

  Handles(hb_blob_t* file, unsigned index) : blob(file) {
    unsigned size = 0;
    const char* const data = hb_blob_get_data(blob, &size);
    if (!FT_Init_FreeType(&library))
      FT_New_Memory_Face(library, reinterpret_cast<const FT_Byte*>(data), static_cast<FT_Long>(size),
                         static_cast<FT_Long>(index), &face);
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;
  ~Handles() {
    if (library) FT_Done_FreeType(library);
    hb_blob_destroy(blob);
  }
};

Font::Font(std::string name, std::string family, unsigned index, std::shared_ptr<Handles> handles)
    : name_(std::move(name)),
      family_(std::move(family)),
      index_(index),
      handles_(std::move(handles)),
      face_(handles_->face) {
  hb_face_t* const whole = hb_face_create(handles_->blob, index);
  shaping_ = {hb_font_create(whole), hb_font_destroy};
  hb_face_destroy(whole);
}

std::shared_ptr<const Font> Font::builtIn(const std::string& file, const std::string& family) {
  const auto bytes = embeddedFile(file);
  hb_blob_t* const blob =
      hb_blob_create(reinterpret_cast<const char*>(bytes.data()), static_cast<unsigned>(bytes.size()),
                     HB_MEMORY_MODE_READONLY, nullptr, nullptr);
  return std::shared_ptr<const Font>(new Font(file, family, 0, std::make_shared<Handles>(blob, 0)));
}

std::shared_ptr<const Font> Font::fromSystem(const std::string& path, unsigned index,
                                             const std::string& family) {
  auto handles = std::make_shared<Handles>(hb_blob_create_from_file(path.c_str()), index);
  if (!handles->face || !FT_IS_SCALABLE(handles->face)) return nullptr;
  return std::shared_ptr<const Font>(
      new Font(path + "#" + std::to_string(index), family, index, std::move(handles)));
}

std::span<const std::byte> Font::file() const {
  unsigned size = 0;
  const char* const data = hb_blob_get_data(handles_->blob, &size);
  return {reinterpret_cast<const std::byte*>(data), size};
}

unsigned Font::glyph(char32_t character) const { return FT_Get_Char_Index(face_, character); }

float Font::advance(unsigned glyph) const {
  FT_Fixed units = 0;
  FT_Get_Advance(face_, glyph, FT_LOAD_NO_SCALE, &units);
  return perEm(units);
}

float Font::ascent() const { return perEm(face_->ascender); }
float Font::descent() const { return perEm(face_->descender); }
float Font::perEm(long units) const {
  return static_cast<float>(units) / static_cast<float>(face_->units_per_EM);
}

}  // namespace glassformer
