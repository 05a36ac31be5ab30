#pragma once
#include <span>

#include "core/model/positional/clock_hands.h"
#include "core/trace/tensor_set.h"

namespace glassformer {

/// A weight w that a weighted sum of shifts gives to the position Δ further on.
struct PositionTap {
  int distance = 0;
  float weight = 1;
};

/// What measurePositionShift() adds.
namespace positionShift {
// Z counts shifts.
inline constexpr const char *distance = "positions.shift_distance",  ///< [Z]: Δ
    *angle = "positions.shift_angle",                                ///< [Z, P/2]: Δ/rᵏ, in radians
        *cosine = "positions.shift_cosine",                          ///< [Z, P/2]
            *sine = "positions.shift_sine";                          ///< [Z, P/2]
inline constexpr const char *matrix = "positions.shift_matrix",      ///< [D, D]
    *factor = "positions.shift_factor",        ///< [P/2, 2]: Im and Re of Σ_Δ w_Δ e^(iΔ/rᵏ), by pair
        *turned = "positions.shift_turned",    ///< [C, D]
            *moved = "positions.shift_moved",  ///< [C, D]; NaN where t + Δ is outside the table
                *error = "positions.shift_error",  ///< [C]: the largest |turned − moved| of each row
                    *largest = "positions.shift_largest";  ///< [1]: of all rows
}  // namespace positionShift

/// That a shift is a rotation, and a weighted sum of shifts one matrix. Sinusoids turn every pair k by
/// Δ / rᵏ from t to t + Δ, whatever t is: p(t + Δ) = R(Δ) p(t), where R(Δ) has along its diagonal, for sine
/// and cosine of each pair,
///
///   (  cos Δ/rᵏ  sin Δ/rᵏ )
///   ( −sin Δ/rᵏ  cos Δ/rᵏ ).
///
/// So Σ_Δ w_Δ p(t + Δ) = (Σ_Δ w_Δ R(Δ)) p(t): a convolution over positions, that one linear map reads off
/// p(t) (Vaswani et al. 2017, section 3.5). Both sides are computed by themselves, `matrix` times the rows of
/// the table [C, D] and the shifted rows summed. Columns beside the pairs stay as they are in R(Δ), so what
/// is no sinusoid, or was learned, has an error.
void measurePositionShift(const TensorView& table, const SinusoidPairs& hands,
                          std::span<const PositionTap> taps, TensorSet& measurements);

}  // namespace glassformer
