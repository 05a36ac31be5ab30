#pragma once
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

/// Sines and cosines of fixed frequencies, added to the embedding (Vaswani et al. 2017, section 3.5).
const PositionalEncoding& sinusoidalPositions();
/// The same with all sines before all cosines, as Marian has it (Junczys-Dowmunt et al. 2018).
const PositionalEncoding& sinusoidalHalvesPositions();

/// p[t, 2i] = sin(t / base^(2i/P)), p[t, 2i+1] = cos(t / base^(2i/P)); in halves p[t, i] and p[t, i + P/2];
/// zeros in front of the first column. [C, first + P]
Tensor sinusoids(int context, const SinusoidPairs& hands);

}  // namespace glassformer
