#pragma once
#include "app/engine/need.h"
#include "app/views/positions/positions_picture.h"

namespace glassformer {

/// A shift by Δ as the rotation that it is: R(Δ), and p(t), R(Δ) p(t) and p(t + Δ) of the chosen position
/// beside it, the chosen pair as complex numbers, some pairs as clock hands, and how far both sides are apart
/// at every position.
void drawShiftPicture(PositionsPicture& picture, Box area);
/// The same of a weighted sum of shifts: one matrix, Σ w R(Δ), with weights to be dragged.
void drawWeightedShiftsPicture(PositionsPicture& picture, Box area);

namespace needs {
/// positions.shift_*: see core/lens/position_shift.h.
extern const Need shiftOfPositions, shiftsOfPositions;
}  // namespace needs

}  // namespace glassformer
