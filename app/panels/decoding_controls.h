#pragma once
#include <functional>
#include <string>
#include <vector>

#include "app/panels/ui.h"

namespace glassformer {

/// The field of one number of decoding, as the window shows it. Changing it is one command.
struct NumberControl {
  std::string name, tip;
  std::string title, words;  ///< in the palette, and by what else it is found there
  float low = 0, high = 1, step = 1;
  int decimals = 0;
  const char* atLow = "";                          ///< what the lowest is called, where it has a name
  std::function<bool(const Workspace&)> isAtHand;  ///< else it is there only where asked for; null: always
  std::function<float(const Workspace&)> get;
  std::function<void(Decoding&, ViewSettings&, float)> set;
};
using NumberControls = std::vector<NumberControl>;

/// Those that the timeline shows: those of the strategy that are at hand, those that are not off, and the one
/// that is asked for.
NumberControls shownNumbers(const Workspace& workspace, std::string_view askedFor);
/// Those above the tree, and above that of branches.
NumberControls numbersOfTree(const Workspace& workspace, std::string_view askedFor);

/// A number to be found by name.
struct DecodingSetting {
  std::string title, words;
  std::vector<DecodingStrategy> strategies;  ///< that have it
  std::string field, fieldInTree;            ///< the number field in the timeline, and in the tree's view
};
std::vector<DecodingSetting> decodingSettings();
/// Chooses a strategy that has it, and begins typing there.
void askFor(Ui& ui, const DecodingSetting& setting);

float widthOf(const Ui& ui, const NumberControls& numbers);
/// Those that fit into the row, from the left.
void showNumbers(Ui& ui, const NumberControls& numbers, Box row);
/// As many rows of them, taken from the top of `rest`, as they need.
void showAllNumbers(Ui& ui, NumberControls numbers, Box& rest);
/// The number that is typed into or asked for; "": none.
std::string_view numberAskedFor(const Ui& ui);

}  // namespace glassformer
