#pragma once
#include <vector>

namespace glassformer {

enum class PositionTable { Model, Sinusoidal };

/// Settings of the positions view. Pair i holds the dimensions 2i and 2i + 1.
struct PositionsSettings {
  PositionTable table = PositionTable::Model;  ///< of which pairs are drawn
  bool dotProduct = false;                     ///< similarity by dot product, else by cosine
  std::vector<int> pairs;                      ///< sorted; empty: a few from fast to slow
  int distance = 1;                            ///< Δ of p(t + Δ) − p(t)

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
