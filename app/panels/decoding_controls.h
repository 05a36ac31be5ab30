#pragma once
#include <string>
#include <vector>

#include "app/panels/ui.h"

namespace glassformer {

/// The settings of decoding, as number fields in a row. What changed becomes one command.
enum class DecodingControl { Tokens, Width, Depth, LengthPenalty, Pruned, Temperature, TopK, TopP, Seed };

/// Where they apply: to a strategy in the timeline, to the tree above it.
std::vector<DecodingControl> controlsOf(DecodingStrategy strategy);
std::vector<DecodingControl> treeControls();

/// A setting to be found by name.
struct DecodingSetting {
  std::string title, words;
  std::vector<DecodingStrategy> strategies;  ///< that have it
  std::string field, fieldInTree;            ///< the number field in the timeline, and in the tree's view
};
std::vector<DecodingSetting> decodingSettings();
/// Chooses a strategy that has it, and begins typing there.
void askFor(Ui& ui, const DecodingSetting& setting);

float widthOf(const Ui& ui, const std::vector<DecodingControl>& controls);
/// Those that fit into the row, from the left.
void showControls(Ui& ui, const std::vector<DecodingControl>& controls, Box row);

}  // namespace glassformer
