#pragma once
#include "core/tensor/tape.h"

namespace glassformer {

/// y[t] = (x[0] + … + x[t]) / (t + 1), with x [R, D]: the mean over a sequence as far as it has been read. Of
/// the `whole` sequence every row has the same mean, y[t] = (x[0] + … + x[T − 1]) / T.
Value meanOfRows(Tape& tape, const Value& x, bool whole);

}  // namespace glassformer
