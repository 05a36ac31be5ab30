#pragma once
#include "app/document/view_settings.h"

namespace glassformer {

/// What ViewSettings::choices calls what *Lens* says of each sublayer: without a choice the token that is
/// likeliest behind it, or that which it makes likelier, or less likely, than any other.
inline constexpr const char* lensSaysChoice = "next_token.lens";

enum class LensSays { Likeliest, Promoted, Suppressed };
constexpr const char* choiceOf(LensSays says) {
  return says == LensSays::Promoted ? "promoted" : says == LensSays::Suppressed ? "suppressed" : "";
}
inline LensSays lensSays(const ViewSettings& settings) {
  const std::string_view chosen = settings.chosen(lensSaysChoice);
  for (const LensSays says : {LensSays::Promoted, LensSays::Suppressed})
    if (chosen == choiceOf(says)) return says;
  return LensSays::Likeliest;
}

}  // namespace glassformer
