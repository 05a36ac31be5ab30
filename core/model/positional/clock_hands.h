#pragma once
#include <algorithm>
#include <cmath>

namespace glassformer {

/// Where the cosine of a sine stands: beside it, or at its place in the other half.
enum class Hands { Neighbours, Halves };

/// Sines and cosines in P columns of a table of positions. Pair k, counted from 0, is the complex number
/// e^(i t / rᵏ) at position t, with r = N^(2/P): its sine, the imaginary part, stands in one column, its
/// cosine, the real part, in another. Of an odd P the last sine stands alone.
struct SinusoidPairs {
  int first = 0;        ///< the column of the first sine
  int width = 0;        ///< P
  double base = 10000;  ///< N
  Hands hands = Hands::Neighbours;

  int sines() const { return (width + 1) / 2; }  // of an odd P the first half is the wider one
  int pairs() const { return width / 2; }
  int sine(int k) const { return first + (hands == Hands::Halves ? k : 2 * k); }
  int cosine(int k) const { return hands == Hands::Halves ? first + sines() + k : sine(k) + 1; }
  /// The pair in that column, or the nearest one.
  int pairAt(int column) const {
    const int inside = std::clamp(column - first, 0, std::max(width - 1, 0));
    const int k = hands == Hands::Halves ? inside % sines() : inside / 2;
    return std::clamp(k, 0, std::max(pairs() - 1, 0));
  }
  /// rᵏ: positions from one radian to the next.
  double positionsPerRadian(int k) const { return std::pow(base, 2 * k / static_cast<double>(width)); }
  /// How far pair k turns in so many positions, in radians.
  double angle(double positions, int k) const { return positions / positionsPerRadian(k); }
};

}  // namespace glassformer
