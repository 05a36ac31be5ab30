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
};
/// Every available action, view, head, step, token, model and prompt.
std::vector<PaletteEntry> paletteEntries(const Ui& ui);

/// How well `title` answers to what was typed, every word of which has to be found in it: higher is better,
/// negative is not at all. Case does not matter.
int paletteScore(std::string_view title, std::string_view typed);

}  // namespace glassformer
