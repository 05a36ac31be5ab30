#include <cmath>

#include "app/explain/operands.h"
#include "app/scene/format.h"
#include "core/lens/head_gradients.h"

namespace glassformer {

namespace {

bool isOfSource(const Operands& o) { return o.cell.tensor.starts_with("lens.source_"); }
std::string gradientOf(const Operands& o) {
  return isOfSource(o) ? "lens.source_embedding_gradient" : "lens.embedding_gradient";
}

// The sum of a_d b_d over the numbers of one token.
double dotOf(const Operands& o, const std::string& a, const std::string& b) {
  const int s = o.cell.index[0];
  double dot = 0;
  for (int d = 0; d < o.extent(b, 1); ++d) dot += static_cast<double>(o.at(a, {s, d})) * o.at(b, {s, d});
  return dot;
}

std::optional<Explanation> influenceOf(const Operands& o) {
  return lengthOf(o, gradientOf(o), {o.cell.index[0]}, 1, "the gradient");
}

std::optional<Explanation> influenceByInput(const Operands& o) {
  const std::string gradient = gradientOf(o);
  const std::string embedding =
      stackPoint(o.config, "hook_embed", isOfSource(o) ? Stream::Source : Stream::Text);
  return Explanation{{"= the sum of " + std::to_string(o.extent(gradient, 1)) +
                      " products of the embedding and its gradient"},
                     static_cast<float>(dotOf(o, embedding, gradient)),
                     false};
}

// The length of a vector of gradients [Z, T, K].
std::optional<Explanation> headGradientOf(const Operands& o) {
  const std::string part = o.cell.tensor.substr(headGradient::norms("").size());
  return lengthOf(o, headGradient::vectors(part), {o.cell.index[0], o.cell.index[1]}, 2, "the gradient");
}

// The mean along a diagonal of the matrix.
std::optional<Explanation> byDistance(const Operands& o) {
  const std::string matrix = "lens.influence_matrix";
  const int distance = o.cell.index[0], tokens = o.extent(matrix, 0), pairs = tokens - distance;
  if (pairs <= 0) return std::nullopt;
  const bool ahead = o.cell.tensor.ends_with("_ahead");
  double sum = 0;
  for (int i = 0; i < pairs; ++i)
    sum += ahead ? o.at(matrix, {i, i + distance}) : o.at(matrix, {i + distance, i});
  return Explanation{{"= " + formatted(static_cast<float>(sum)) + " / " + std::to_string(pairs) +
                      (pairs == 1 ? " pair" : " pairs")},
                     static_cast<float>(sum / pairs),
                     false};
}

constexpr ExplanationRule influenceTable[] = {
    {"lens.influence", influenceOf},
    {"lens.source_influence", influenceOf},
    {"lens.influence_by_input", influenceByInput},
    {"lens.source_influence_by_input", influenceByInput},
    {"lens.gradient_norm_q", headGradientOf},
    {"lens.gradient_norm_k", headGradientOf},
    {"lens.gradient_norm_v", headGradientOf},
    {"lens.influence_by_distance", byDistance},
    {"lens.influence_by_distance_ahead", byDistance},
};

}  // namespace

std::span<const ExplanationRule> influenceRules() { return influenceTable; }

}  // namespace glassformer
