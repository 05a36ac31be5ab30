#pragma once
#include "app/views/positions/positions_view.h"

namespace glassformer {

/// The chosen table as a low heatmap in which a click chooses pairs of dimensions; takes it off the top of
/// the area. Returns the pairs that are shown.
std::vector<int> addPairStrip(PositionsView& view, Box& area);
/// Splits what is left into a row for each pair.
std::vector<Box> pairRows(const Box& area, std::size_t count, float most);
/// "Dimensions 8 and 9"
std::string pairName(int pair);

}  // namespace glassformer
