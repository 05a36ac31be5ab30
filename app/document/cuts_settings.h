#pragma once
#include "app/document/view_settings.h"

namespace glassformer {

/// What ViewSettings::choices calls by what the text is cut in *Cuts*: without a choice by the open model and
/// in ways finer and coarser; or by every tokenizer of the library; or by one that is learned
/// from what is written in the tabs. And how many merges are done: a number,
/// without a choice all.
inline constexpr const char *cutsChoice = "tokens.cuts", *cutsByLibrary = "library",
                            *cutsLearnedHere = "learned here", *mergesChoice = "tokens.merges";

inline bool cutsByLearning(const ViewSettings& settings) {
  return settings.chosen(cutsChoice) == cutsLearnedHere;
}
inline bool cutsTheLibrary(const ViewSettings& settings) {
  return settings.chosen(cutsChoice) == cutsByLibrary;
}

}  // namespace glassformer
