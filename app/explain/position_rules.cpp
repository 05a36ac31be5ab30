#include "app/explain/operands.h"

#include <cmath>

#include "app/scene/format.h"
#include "core/lens/shuffle.h"

namespace glassformer {

namespace {

// The table behind "positions.model_dot", and Δ behind "positions.model_difference.4".
std::string tableOf(const std::string& tensor) { return tensor.substr(0, tensor.find('_')); }
int distanceOf(const std::string& tensor) { return std::stoi(tensor.substr(tensor.rfind('.') + 1)); }

double dotOf(const Operands& o, int t, int u) {
  const std::string table = tableOf(o.cell.tensor);
  double dot = 0;
  for (int d = 0; d < o.extent(table, 1); ++d)
    dot += static_cast<double>(o.at(table, {t, d})) * o.at(table, {u, d});
  return dot;
}

std::optional<Explanation> dotProduct(const Operands& o) {
  const std::string terms = std::to_string(o.extent(tableOf(o.cell.tensor), 1));
  const auto dot = static_cast<float>(dotOf(o, o.cell.index[0], o.cell.index[1]));
  return Explanation{{"= the sum of " + terms + " products"}, dot, false};
}

std::optional<Explanation> cosine(const Operands& o) {
  const int t = o.cell.index[0], u = o.cell.index[1];
  const auto dot = static_cast<float>(dotOf(o, t, u)), a = static_cast<float>(std::sqrt(dotOf(o, t, t))),
             b = static_cast<float>(std::sqrt(dotOf(o, u, u)));
  return Explanation{
      {"= " + formatted(dot) + " / (" + formatted(a) + " · " + formatted(b) + ")"}, dot / (a * b), false};
}

std::optional<Explanation> difference(const Operands& o) {
  const std::string table = tableOf(o.cell.tensor);
  const auto [t, d, unused, unused2] = o.cell.index;
  const float there = o.at(table, {t + distanceOf(o.cell.tensor), d}), here = o.at(table, {t, d});
  return Explanation{{"= " + formatted(there) + " − " + signedOperand(here)}, there - here, false};
}

std::optional<Explanation> differenceNorm(const Operands& o) {
  const int t = o.cell.index[0], u = t + distanceOf(o.cell.tensor);
  const auto square = static_cast<float>(dotOf(o, u, u) - 2 * dotOf(o, u, t) + dotOf(o, t, t));
  return Explanation{{"= √" + formatted(square)}, std::sqrt(std::max(square, 0.0f)), false};
}

// What is left of the scores when positions alone are taken off.
std::optional<Explanation> otherScore(const Operands& o) {
  const std::string head = o.cell.tensor.substr(std::string_view("lens.other_scores").size());
  const float all = o.at("lens.scores" + head, o.cell.index),
              positions = o.at("lens.position_scores" + head, o.cell.index);
  return Explanation{{"= " + formatted(all) + " − " + signedOperand(positions)}, all - positions, false};
}

// How far one token's final vector moves when the text is shuffled, or all of them, or how long these are.
std::optional<Explanation> shuffledNorm(const Operands& o) {
  return lengthOf(o, shuffle::vectors, {o.cell.index[0]}, 1, "the difference");
}
std::optional<Explanation> shuffledTotal(const Operands& o) {
  const bool isMoved = o.cell.index[0] == 0;
  return lengthOf(o, isMoved ? shuffle::norms : shuffle::lengths, {}, 0, "the tokens' own");
}

constexpr ExplanationRule positionTable[] = {
    {"positions.model_dot", dotProduct},
    {"positions.sinusoidal_dot", dotProduct},
    {"positions.model_similarity", cosine},
    {"positions.sinusoidal_similarity", cosine},
    {"positions.model_difference.", difference},
    {"positions.sinusoidal_difference.", difference},
    {"positions.model_difference_norm.", differenceNorm},
    {"positions.sinusoidal_difference_norm.", differenceNorm},
    {"lens.other_scores.", otherScore},
    {shuffle::norms, shuffledNorm},
    {shuffle::total, shuffledTotal},
};

}  // namespace

std::span<const ExplanationRule> positionRules() { return positionTable; }

}  // namespace glassformer
