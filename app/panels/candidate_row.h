#pragma once
#include <string>

#include "app/panels/ui.h"

namespace glassformer {

/// A token that may come next in a row of a list: its label, its probability as a bar to 100 % and in digits,
/// quiet where it cannot be taken, and a word about it at the right end.
void drawCandidate(const Ui& ui, const Box& row, const std::string& label, float probability, bool isQuiet,
                   const std::string& word = "");

}  // namespace glassformer
