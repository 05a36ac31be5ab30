#pragma once
#include "app/engine/need.h"

namespace glassformer {

namespace paintedPairs {
inline constexpr const char
    *likeness = "painting.likeness",    ///< [Y]: what each of the benchRules() shares with what is painted
    *agreement = "painting.agreement";  ///< [1]: what the selected head does; NaN: nothing is painted
}  // namespace paintedPairs

/// While pairs are painted on the open text: what they share with the selected head's pattern, and with every
/// rule that has a name, on the rows that are painted.
void measurePaintedPairs(const MeasuredPass& pass, const StartJob& begin, TensorSet& set);

}  // namespace glassformer
