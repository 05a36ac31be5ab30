#pragma once
#include <vector>

#include "app/panels/ui.h"

namespace glassformer {

/// The settings of decoding, as steppers in a row. What changed becomes one command.
enum class DecodingControl { Tokens, Width, Depth, LengthPenalty, Pruned, Temperature, TopK, TopP, Seed };

/// Where they apply: to a strategy in the timeline, to the tree above it.
std::vector<DecodingControl> controlsOf(DecodingStrategy strategy);
std::vector<DecodingControl> treeControls();

float widthOf(const Ui& ui, const std::vector<DecodingControl>& controls);
/// Those that fit into the row, from the left.
void showControls(Ui& ui, const std::vector<DecodingControl>& controls, Box row);

}  // namespace glassformer
