#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>

typedef struct hb_font_t hb_font_t;
typedef struct FT_FaceRec_* FT_Face;  // NOLINT(bugprone-reserved-identifier): the name is FreeType's

namespace glassformer {

/// One font, open for shaping (HarfBuzz) and for drawing (FreeType). For one thread.
class Font : public std::enable_shared_from_this<Font> {
 public:
  /// A file inside the program, such as "fonts/ui".
  static std::shared_ptr<const Font> builtIn(const std::string& file, const std::string& family);
  /// Font `index` of a file of the system's; null where FreeType cannot draw its outlines.
  static std::shared_ptr<const Font> fromSystem(const std::string& path, unsigned index,
                                                const std::string& family);

  /// What tells it from every other: the built-in file's name, or the path and the index in it.
  const std::string& name() const { return name_; }
  const std::string& family() const { return family_; }
  std::span<const std::byte> file() const;
  unsigned index() const { return index_; }

  /// 0 where the font lacks the character, which is also the glyph of the box drawn then.
  unsigned glyph(char32_t character) const;
  float advance(unsigned glyph) const;  ///< in ems
  float ascent() const;                 ///< of a line, in ems, above the baseline
  float descent() const;                ///< likewise, below it: negative
  float perEm(long units) const;

  hb_font_t* shaping() const { return shaping_.get(); }  ///< counts in the font's units
  FT_Face outlines() const { return face_; }

 private:
  struct Handles;
  Font(std::string name, std::string family, unsigned index, std::shared_ptr<Handles> handles);

  std::string name_, family_;
  unsigned index_ = 0;
  std::shared_ptr<Handles> handles_;
  std::shared_ptr<hb_font_t> shaping_;
  FT_Face face_ = nullptr;
};

}  // namespace glassformer
