#include "app/text_shaping/lettering.h"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

using namespace glassformer;

namespace {

std::vector<ShapedGlyph> glyphsOf(const ShapedText& text) {
  std::vector<ShapedGlyph> glyphs;
  for (const ShapedRun& run : text.runs) glyphs.insert(glyphs.end(), run.glyphs.begin(), run.glyphs.end());
  return glyphs;
}

float placeOf(const ShapedText& text, std::size_t byte) {
  for (const ShapedGlyph& glyph : glyphsOf(text))
    if (glyph.cluster == byte) return glyph.x;
  FAIL("no glyph for byte " << byte);
  return 0;
}

}  // namespace

TEST_CASE("every script of the packages that setup installs is drawn without boxes") {
  const Lettering lettering;
  for (const char* text : {"animal",      "Žluťoučký", "Ελληνικά", "Кириллица",    "Հայերեն",
                           "ქართული",     "שלום",      "שָׁלוֹם",     "السلام",       "فارسی",
                           "नमस्ते क्षत्रिय", "বাংলা",     "ਪੰਜਾਬੀ",    "ગુજરાતી",       "தமிழ்",
                           "తెలుగు",       "ಕನ್ನಡ",      "മലയാളം",   "සිංහල",         "สวัสดี",
                           "ລາວ",         "မြန်မာ",     "ខ្មែរ",     "中文汉字漢字", "こんにちは カタカナ",
                           "안녕하세요",  "😀🚀🐈",       "👍🏽", "❤️",       "e\u0301",
                           "a𝐀∀x∈ℝ"})
    for (const FontFace face : {FontFace::Ui, FontFace::Strong, FontFace::Mono}) {
      INFO(text << " in face " << static_cast<int>(face));
      const auto glyphs = glyphsOf(lettering.laidOut(text, face));
      CHECK_FALSE(glyphs.empty());
      for (const ShapedGlyph& glyph : glyphs) CHECK(glyph.glyph != 0);
    }
}

TEST_CASE("a character that no font has is a box, and so is a byte that is no character") {
  const Lettering lettering;
  for (const char* text : {"\U0010FFFD", "\u0378"})
    for (const ShapedGlyph& glyph : glyphsOf(lettering.laidOut(text, FontFace::Ui))) CHECK(glyph.glyph == 0);
  CHECK(lettering.laidOut("\xD7\x90\xFF", FontFace::Ui).runs.front().glyphs.size() == 2);
}

TEST_CASE("text that stands letter by letter is not shaped") {
  for (const char* plain :
       {"", "The animal didn’t", "größer → ½", "Ελληνικά", "中文", "한국어", "😀", "\xFF\xCC"})
    CHECK_FALSE(needsShaping(plain));
  for (const char* shaped :
       {"ש", "a ع", "न", "ส", "e\u0301", "👍🏽", "🇩🇪", "a\u200Db", "\uE000", "\uFE8D"})
    CHECK(needsShaping(shaped));
}

TEST_CASE("plain text stands at its plain advances") {
  const Lettering lettering;
  const Font& font = lettering.font(FontFace::Ui);
  const ShapedText text = lettering.laidOut("AV", FontFace::Ui);
  REQUIRE(text.runs.size() == 1);
  CHECK(text.runs[0].glyphs[1].x == font.advance(font.glyph(U'A')));  // without kerning
  CHECK(text.width == font.advance(font.glyph(U'A')) + font.advance(font.glyph(U'V')));
}

TEST_CASE("Arabic letters take the form that their place in the word asks for") {
  const Lettering lettering;
  for (const FontFace face : {FontFace::Ui, FontFace::Mono}) {
    std::set<unsigned> forms;
    for (const ShapedGlyph& glyph : glyphsOf(lettering.laidOut("ببب", face))) forms.insert(glyph.glyph);
    for (const ShapedGlyph& glyph : glyphsOf(lettering.laidOut("ب", face))) forms.insert(glyph.glyph);
    CHECK(forms.size() == 4);  // initial, medial, final, isolated
  }
}

TEST_CASE("Hebrew and Arabic run from right to left, numbers and Latin words in them from left to right") {
  const Lettering lettering;
  const ShapedText hebrew = lettering.laidOut("שלום", FontFace::Ui);
  CHECK(hebrew.rightToLeft);
  CHECK(placeOf(hebrew, 0) > placeOf(hebrew, 6));
  const ShapedText mixed = lettering.laidOut("reading שלום 12", FontFace::Ui);
  CHECK_FALSE(mixed.rightToLeft);
  CHECK(placeOf(mixed, 0) < placeOf(mixed, 14));
  CHECK(placeOf(mixed, 8) > placeOf(mixed, 14));
  CHECK(placeOf(mixed, 17) < placeOf(mixed, 18));  // 1 before 2
  CHECK(placeOf(mixed, 17) < placeOf(mixed, 14));  // the number on the far side of the word
}

TEST_CASE("marks stand on their letters, and what only joins has no width") {
  const Lettering lettering;
  const ShapedText word = lettering.laidOut("e\u0301x", FontFace::Ui);
  CHECK(word.width == lettering.laidOut("éx", FontFace::Ui).width);
  const ShapedText joined = lettering.laidOut("a\u200Db", FontFace::Ui);
  CHECK(joined.width == lettering.laidOut("ab", FontFace::Ui).width);
}

TEST_CASE("glyphs of a shaped text cover it from left to right without gaps") {
  const Lettering lettering;
  const ShapedText text = lettering.laidOut("a שלום b नमस्ते c السلام", FontFace::Ui);
  float x = 0;
  for (const ShapedGlyph& glyph : glyphsOf(text)) {
    CHECK(std::abs(glyph.x - x) < 0.7f);  // marks lean back
    x += glyph.advance;
  }
  CHECK(x == text.width);
}
