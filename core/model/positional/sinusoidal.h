#pragma once
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

/// Sines and cosines of fixed frequencies, added to the embedding (Vaswani et al. 2017, section 3.5).
const PositionalEncoding& sinusoidalPositions();
/// The same with all sines before all cosines, as Marian has it (Junczys-Dowmunt et al. 2018).
const PositionalEncoding& sinusoidalHalvesPositions();

/// Where the cosine of a sine stands: beside it, or at its place in the other half.
enum class Hands { Neighbours, Halves };

/// p[t, 2i] = sin(t / base^(2i/D)), p[t, 2i+1] = cos(t / base^(2i/D)); in halves p[t, i] and p[t, i + D/2].
/// [C, D]
Tensor sinusoids(int context, int width, double base = 10000, Hands hands = Hands::Neighbours);

}  // namespace glassformer
