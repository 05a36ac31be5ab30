#include "app/explain/operands.h"

#include <cmath>

#include "app/scene/format.h"
#include "core/lens/unembedding.h"
#include "core/model/head.h"

namespace glassformer {

namespace {

std::vector<float> logitsAt(const Operands& o, int token) {
  std::vector<float> logits;
  for (int v = 0; v < o.extent("logits", 1); ++v) logits.push_back(o.at("logits", {token, v}));
  return logits;
}

std::optional<Explanation> nextToken(const Operands& o) {
  const auto [place, token, unused, unused2] = o.cell.index;
  if (o.target.token < 0 || place != o.extent(o.cell.tensor, 0) - 1) return std::nullopt;
  const std::vector<float> logits = logitsAt(o, o.target.token);
  if (logits.empty()) return std::nullopt;
  return softmax(logits, static_cast<std::size_t>(token), "tokens");
}

std::optional<Explanation> topProbability(const Operands& o) {
  const std::vector<float> logits = logitsAt(o, o.cell.index[0]);
  const float entry = o.at("lens.top_token", o.cell.index);
  if (logits.empty() || !std::isfinite(entry)) return std::nullopt;
  return softmax(logits, static_cast<std::size_t>(entry), "tokens");
}

std::optional<Explanation> gridProbability(const Operands& o) {
  const auto [place, token, unused, unused2] = o.cell.index;
  const float entry = o.at("lens.grid_token", o.cell.index);
  if (place != o.extent(o.cell.tensor, 0) - 1 || !std::isfinite(entry)) return std::nullopt;
  return softmax(logitsAt(o, token), static_cast<std::size_t>(entry), "tokens");
}

std::optional<Explanation> ofClasses(const Operands& o) {
  const auto [token, chosen, unused, unused2] = o.cell.index;
  std::vector<float> logits;
  for (int c = 0; c < o.extent(classLogits, 1); ++c) logits.push_back(o.at(classLogits, {token, c}));
  if (logits.empty()) return std::nullopt;
  return softmax(logits, static_cast<std::size_t>(chosen), "classes");
}

// In nats, and in bits.
std::optional<Explanation> surprise(const Operands& o) {
  const float p = o.at("lens.actual_probability", o.cell.index);
  if (!(p > 0)) return std::nullopt;
  const float nats = -std::log(p);
  return Explanation{{formatted(nats / std::log(2.0f)) + " bits", "= −ln " + formatted(p)}, nats, false};
}

// Between a token's two vectors.
std::optional<Explanation> unembeddingCosine(const Operands& o) {
  const std::string in = unembedding::embeddingWeights, out = unembedding::unembeddingWeights(o.config);
  const int token = o.cell.index[0];
  double dot = 0, squareIn = 0, squareOut = 0;
  for (int d = 0; d < o.extent(in, 1); ++d) {
    const double a = o.at(in, {token, d}), b = o.at(out, {token, d});
    dot += a * b, squareIn += a * a, squareOut += b * b;
  }
  const auto words = [](double x) { return formatted(static_cast<float>(x)); };
  return Explanation{
      {"= " + words(dot) + " / (" + words(std::sqrt(squareIn)) + " · " + words(std::sqrt(squareOut)) + ")"},
      static_cast<float>(dot / std::sqrt(squareIn * squareOut)),
      false};
}

constexpr ExplanationRule nextTokenTable[] = {
    {"lens.next_token", nextToken},
    {"lens.top_probability", topProbability},
    {"lens.grid_probability", gridProbability},
    {"lens.surprise", surprise},
    {"lens.class_probability", ofClasses},
    {"unembedding.cosine", unembeddingCosine},
};

}  // namespace

std::span<const ExplanationRule> nextTokenRules() { return nextTokenTable; }

}  // namespace glassformer
