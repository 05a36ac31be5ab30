#pragma once
#include <algorithm>
#include <string>

#include "app/document/chosen_number.h"
#include "core/lens/integrated_gradients.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// What ViewSettings::choices calls what integrated gradients begin at ("", "mean", or a token's id), how
/// many gradients they take at most, and the entry whose logit is subtracted.
inline constexpr const char *baselineChoice = "influence.baseline", *meanBaseline = "mean",
                            *gradientsChoice = "influence.gradients", *againstChoice = "influence.against";

/// The gradients that can be chosen from; the one in the middle without a choice.
inline constexpr int fewGradients = 16, usualGradients = 128, manyGradients = 4096;

inline int chosenGradients(const ViewSettings& settings) {
  const int chosen = chosenNumber(settings, gradientsChoice, usualGradients);
  return chosen == fewGradients || chosen == manyGradients ? chosen : usualGradients;
}

/// The baseline inside a vocabulary; zero where its token does not exist.
inline Baseline chosenBaseline(const ViewSettings& settings, int vocabulary) {
  if (settings.chosen(baselineChoice) == meanBaseline) return {Baseline::Kind::Mean};
  const int token = chosenNumber(settings, baselineChoice, -1);
  return token >= 0 && token < vocabulary ? Baseline{Baseline::Kind::Token, token} : Baseline{};
}

/// The entry that is subtracted, as a choice of that name has it; -1 where none is chosen, or it is the one
/// that it would be subtracted from.
inline int chosenAgainst(const ViewSettings& settings, int entry, int vocabulary,
                         const char* choice = againstChoice) {
  const int against = chosenNumber(settings, choice, -1);
  return against >= 0 && against < vocabulary && against != entry ? against : -1;
}

/// A token that says as little as any: the mask, the end of a text, or the first one.
inline int emptyToken(const Tokenizer& tokenizer) {
  return tokenizer.mask() >= 0 ? tokenizer.mask() : std::max(tokenizer.endOfText(), 0);
}

}  // namespace glassformer
