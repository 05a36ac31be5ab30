#include "app/text_shaping/system_fonts.h"

#include <fontconfig/fontconfig.h>

#include <string_view>

namespace glassformer {

namespace {

std::shared_ptr<FcFontSet> sansSerifFirst() {
  FcPattern* const wanted = FcPatternCreate();
  FcPatternAddString(wanted, FC_FAMILY, reinterpret_cast<const FcChar8*>("sans-serif"));
  FcPatternAddInteger(wanted, FC_WEIGHT, FC_WEIGHT_REGULAR);
  FcPatternAddInteger(wanted, FC_SLANT, FC_SLANT_ROMAN);
  FcConfigSubstitute(nullptr, wanted, FcMatchPattern);
  FcDefaultSubstitute(wanted);
  FcResult result = FcResultMatch;
  FcFontSet* const found = FcFontSort(nullptr, wanted, FcFalse, nullptr, &result);
  FcPatternDestroy(wanted);
  return found ? std::shared_ptr<FcFontSet>(found, FcFontSetDestroy)
               : std::shared_ptr<FcFontSet>(FcFontSetCreate(), FcFontSetDestroy);
}

bool isSet(FcPattern* font, const char* property) {
  FcBool value = FcFalse;
  return FcPatternGetBool(font, property, 0, &value) == FcResultMatch && value;
}

std::string textOf(FcPattern* font, const char* property) {
  FcChar8* value = nullptr;
  const bool has = FcPatternGetString(font, property, 0, &value) == FcResultMatch;
  return has ? reinterpret_cast<const char*>(value) : "";
}

bool draws(FcPattern* font, char32_t character) {
  FcCharSet* characters = nullptr;
  if (FcPatternGetCharSet(font, FC_CHARSET, 0, &characters) != FcResultMatch) return false;
  const std::string format = textOf(font, FC_FONTFORMAT);
  return FcCharSetHasChar(characters, character) && isSet(font, FC_OUTLINE) && !isSet(font, FC_COLOR) &&
         !isSet(font, FC_VARIABLE) && (format == "TrueType" || format == "CFF");
}

}  // namespace

std::shared_ptr<const Font> SystemFonts::open(int candidate) {
  auto& font = opened_[static_cast<std::size_t>(candidate)];
  FcPattern* const described = candidates_->fonts[candidate];
  int index = 0;
  FcPatternGetInteger(described, FC_INDEX, 0, &index);
  if (!font)
    font = Font::fromSystem(textOf(described, FC_FILE), static_cast<unsigned>(index),
                            textOf(described, FC_FAMILY));
  return font;
}

std::shared_ptr<const Font> SystemFonts::with(char32_t character) {
  if (!candidates_) {
    candidates_ = sansSerifFirst();
    opened_.resize(static_cast<std::size_t>(candidates_->nfont));
  }
  for (int i = 0; i < candidates_->nfont; ++i)
    if (draws(candidates_->fonts[i], character))
      if (auto font = open(i); font && font->glyph(character)) return font;
  return nullptr;
}

}  // namespace glassformer
