#include "app/figure/font_subset.h"

#include <ft2build.h>
#include <catch2/catch_test_macros.hpp>
#include FT_FREETYPE_H

#include "app/embedded/embedded_file.h"

using namespace glassformer;

TEST_CASE("a subset is a small font with the wanted glyphs, as wide as before, and no others") {
  FT_Library library = nullptr;
  REQUIRE(FT_Init_FreeType(&library) == 0);
  for (const char* name :
       {"fonts/ui", "fonts/strong", "fonts/mono", "fonts/ui-fallback", "fonts/mono-fallback"}) {
    INFO(name);
    const auto file = embeddedFile(name);
    const std::string part = subsetFont(file, {U'a', U'é', U'→'});
    CHECK(part.size() < 12000);
    FT_Face whole = nullptr, subset = nullptr;
    REQUIRE(FT_New_Memory_Face(library, reinterpret_cast<const FT_Byte*>(file.data()),
                               static_cast<FT_Long>(file.size()), 0, &whole) == 0);
    REQUIRE(FT_New_Memory_Face(library, reinterpret_cast<const FT_Byte*>(part.data()),
                               static_cast<FT_Long>(part.size()), 0, &subset) == 0);
    CHECK_FALSE(FT_HAS_KERNING(subset));
    CHECK(FT_Get_Char_Index(subset, U'b') == 0);
    for (const char32_t c : {U'a', U'é', U'→'}) {
      REQUIRE(FT_Get_Char_Index(subset, c) != 0);
      REQUIRE(FT_Load_Char(whole, c, FT_LOAD_NO_SCALE) == 0);
      REQUIRE(FT_Load_Char(subset, c, FT_LOAD_NO_SCALE) == 0);
      CHECK(subset->glyph->metrics.horiAdvance == whole->glyph->metrics.horiAdvance);
      CHECK(subset->glyph->outline.n_points == whole->glyph->outline.n_points);
    }
    FT_Done_Face(whole);
    FT_Done_Face(subset);
  }
  FT_Done_FreeType(library);
}
