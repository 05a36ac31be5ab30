#pragma once
#include "app/document/view_settings.h"

namespace glassformer {

/// What ViewSettings::choices calls by what the text is cut in *Cuts*: without a choice by the open model and
/// in ways finer and coarser; or by every tokenizer of the library.
inline constexpr const char *cutsChoice = "tokens.cuts", *cutsByLibrary = "library";

inline bool cutsTheLibrary(const ViewSettings& settings) {
  return settings.chosen(cutsChoice) == cutsByLibrary;
}

}  // namespace glassformer
