#pragma once
#include <array>
#include <vector>

namespace glassformer {

enum class PositionTable { Model, Sinusoidal };

/// Shifts whose weights can be set: Δ = −3 … 3.
inline constexpr int farthestTap = 3, tapCount = 2 * farthestTap + 1;
inline constexpr float mostTap = 1;
using TapWeights = std::array<float, tapCount>;
/// A quarter, a half, a quarter.
inline constexpr TapWeights usualTaps{0, 0, 0.25f, 0.5f, 0.25f, 0, 0};

inline constexpr float leastBase = 2, usualBase = 10000, mostBase = 1e7f;
inline constexpr std::array baseRungs{leastBase, 10.f, 100.f, 1000.f, usualBase, 1e5f, 1e6f, mostBase};

/// Settings of the positions view. A pair is a sine and a cosine, see SinusoidPairs.
struct PositionsSettings {
  PositionTable table = PositionTable::Model;  ///< of which pairs are drawn
  bool dotProduct = false;                     ///< similarity by dot product, else by cosine
  std::vector<int> pairs;                      ///< sorted; empty: a few from fast to slow
  int distance = 1;                            ///< Δ of p(t + Δ)
  float base = usualBase;                      ///< N of the sinusoids, where the model has none of its own
  TapWeights taps = usualTaps;                 ///< w of Σ w p(t + Δ)

  bool operator==(const PositionsSettings&) const = default;
};

/// As many pairs as can be drawn below each other.
inline constexpr int mostPairs = 6;
/// The pairs that are drawn, inside a model of that width: the chosen ones, else a few whose sinusoids turn
/// from fast to slow.
std::vector<int> shownPairs(const PositionsSettings& settings, int width);
/// The distance inside a context of that many positions.
int shownDistance(const PositionsSettings& settings, int context);

}  // namespace glassformer
