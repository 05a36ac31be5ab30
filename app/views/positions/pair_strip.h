#pragma once
#include "app/views/positions/positions_picture.h"

namespace glassformer {

/// The chosen table as a low heatmap in which a click chooses pairs of dimensions; takes it off the top of
/// the area. Returns the pairs that are shown.
std::vector<int> addPairStrip(PositionsPicture& picture, Box& area);
/// Splits what is left into a row for each pair.
std::vector<Box> pairRows(const Box& area, std::size_t count, float most);
/// "Dimensions 8 and 9"
std::string pairName(const PositionsPicture& picture, int pair);
/// "e^(i t / 3.16), 18.1° a position": the pair as a complex number; empty where its table was learned.
std::string complexForm(const PositionsPicture& picture, int pair);
/// "−0.416 + 0.909i"
std::string complexWords(float real, float imaginary);
/// "−65.4°": of a sine and a cosine.
std::string angleWords(float sine, float cosine);

}  // namespace glassformer
