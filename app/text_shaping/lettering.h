#pragma once
#include <array>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "app/scene/scene.h"
#include "app/text_shaping/system_fonts.h"

namespace glassformer {

/// Where one glyph of a shaped text stands. Lengths in ems, y upwards.
struct ShapedGlyph {
  unsigned glyph = 0;
  float x = 0, y = 0;       ///< of its origin, from the left end of the text's baseline
  float advance = 0;        ///< how far it moves what comes next
  std::size_t cluster = 0;  ///< byte where the characters it stands for begin
};

/// Neighbouring glyphs from one font that run one way, from left to right as they are seen.
struct ShapedRun {
  const Font* font = nullptr;
  bool rightToLeft = false;
  std::size_t begin = 0, end = 0;  ///< its bytes of the text
  std::vector<ShapedGlyph> glyphs;
};

struct ShapedText {
  std::vector<ShapedRun> runs;  ///< from left to right
  float width = 0;              ///< in ems
  bool rightToLeft = false;     ///< as a whole: its first letter is of such a script
};

/// Whether characters of the text join, combine or change places: Arabic, Hebrew, Devanagari, Thai, combining
/// marks, flags and the like. All other text is one glyph after the other, each at its plain advance.
bool needsShaping(std::string_view text);

/// The fonts of the interface: the three built-in faces, what is built in for the signs they lack, and behind
/// them what the system has, looked up where a character is first met. For one thread.
class Lettering {
 public:
  Lettering();

  const Font& font(FontFace face) const { return *chains_[static_cast<std::size_t>(face)].front(); }
  /// The font that a character is drawn from; the face itself where no font has it.
  const Font& fontOf(FontFace face, char32_t character) const;
  /// Where the text's glyphs stand, shaped where it needs that.
  ShapedText laidOut(std::string_view text, FontFace face) const;

 private:
  ShapedText plain(std::string_view text, FontFace face) const;
  /// As HarfBuzz shapes them, in the order of the Unicode bidirectional algorithm.
  ShapedText shaped(std::string_view text, FontFace face) const;

  std::array<std::vector<std::shared_ptr<const Font>>, 3> chains_;  ///< by FontFace, built in
  mutable SystemFonts system_;
  mutable std::unordered_map<char32_t, std::shared_ptr<const Font>> systems_;  ///< null: none has it
};

}  // namespace glassformer
