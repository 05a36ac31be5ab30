#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/text_shaping/font.h"

typedef struct _FcFontSet FcFontSet;  // NOLINT(bugprone-reserved-identifier): the name is fontconfig's

namespace glassformer {

/// The fonts that the system has besides the built-in ones, found through fontconfig. Nothing is looked up
/// before the first question: most texts need none of them. For one thread.
class SystemFonts {
 public:
  /// The first font, in the system's own order, that draws the character with outlines; coloured pictures and
  /// fonts made of pixels do not count. Null where there is none.
  std::shared_ptr<const Font> with(char32_t character);

 private:
  std::shared_ptr<const Font> open(int candidate);

  std::shared_ptr<FcFontSet> candidates_;
  std::vector<std::shared_ptr<const Font>> opened_;  ///< as the candidates; null: not asked for yet
};

}  // namespace glassformer
