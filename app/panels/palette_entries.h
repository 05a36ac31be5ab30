#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/ui.h"

namespace glassformer {

/// One line of the command palette: an action, or a place to go to.
struct PaletteEntry {
  std::string title;
  std::string about;  ///< at the right edge: its key, or what kind of thing it is
  std::function<void(Ui&)> run;
  std::string words = {};    ///< what else it can be found by
  bool switchesOff = false;  ///< a part of the model, or brings it back
  bool isBroad = false;      ///< what has the same words comes first: a lecture is about everything
  bool waits = false;        ///< it cannot be done now; `about` says what it waits for
};
/// Every action, those that wait for something last, view and layout, head, step, token, model, choice of the
/// model and setting of decoding.
std::vector<PaletteEntry> paletteEntries(const Ui& ui);

/// How well an entry answers to what was typed, in any order and case: by scoreOfWord for each word that is
/// found, more where that is in its title or at a beginning, unless it is broad; negative where none is.
int paletteScore(const PaletteEntry& entry, std::string_view typed);
inline constexpr int scoreOfWord = 1000;
int wordsTyped(std::string_view typed);
/// Of its other words those by which an entry answers, where its title does not: "hash table".
std::string answeringWords(const PaletteEntry& entry, std::string_view typed);

}  // namespace glassformer
