#include "app/scene/explain/operands.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "app/scene/format.h"
#include "core/lens/head_id.h"

namespace glassformer {

namespace {

std::optional<Explanation> matchOf(const Operands& o, int layer, int head, int query, int key) {
  const std::string q = o.block(layer, "attn.hook_q"), k = o.block(layer, "attn.hook_k");
  const int width = o.extent(q, 2);
  if (width == 0) return std::nullopt;
  double dot = 0;
  for (int d = 0; d < width; ++d)
    dot += static_cast<double>(o.at(q, {query, head, d})) * o.at(k, {key, head, d});
  const auto product = static_cast<float>(dot);
  return Explanation{{"= " + formatted(product) + " / √" + std::to_string(width)},
                     product / std::sqrt(static_cast<float>(width)),
                     false};
}
std::optional<Explanation> maskedScore(const Operands& o) {
  const auto [head, query, key, unused] = o.cell.index;
  if (key > query)
    return Explanation{{"masked: a token sees none that come later"}, valueOf(o.sources, o.cell), false};
  return matchOf(o, o.layer, head, query, key);
}
// The heads that a measured plane is named after, one behind the other: "lens.pattern.difference.L2H0.L1H3".
std::vector<HeadId> headsIn(const std::string& tensor) {
  std::vector<HeadId> heads;
  std::istringstream parts(tensor);
  for (std::string part; std::getline(parts, part, '.');)
    if (HeadId head;
        std::sscanf(part.c_str(), "L%dH%d", &head.layer, &head.head) == 2 && nameOf(head) == part)
      heads.push_back(head);
  return heads;
}
std::optional<Explanation> unmaskedScore(const Operands& o) {
  const auto heads = headsIn(o.cell.tensor);
  if (heads.size() != 1) return std::nullopt;
  return matchOf(o, heads[0].layer, heads[0].head, o.cell.index[0], o.cell.index[1]);
}
std::optional<Explanation> movedLength(const Operands& o) {
  const auto heads = headsIn(o.cell.tensor);
  if (heads.size() != 1 || o.cell.tensor.ends_with("normalized")) return std::nullopt;
  const auto [query, key, unused, unused2] = o.cell.index;
  const float share = o.at(o.block(heads[0].layer, "attn.hook_pattern"), {heads[0].head, query, key});
  const float length = o.at("lens.value_norm." + nameOf(heads[0]), {key});
  return Explanation{{"= " + formatted(share) + " · " + formatted(length)}, share * length, false};
}
std::optional<Explanation> headDifference(const Operands& o) {
  const auto heads = headsIn(o.cell.tensor);
  if (heads.size() != 2) return std::nullopt;
  const int query = o.cell.index[0], key = o.cell.index[1];
  const auto of = [&](HeadId head) {
    if (o.cell.tensor.starts_with("lens.moved")) return o.at("lens.moved." + nameOf(head), {query, key});
    return o.at(o.block(head.layer, "attn.hook_pattern"), {head.head, query, key});
  };
  const float a = of(heads[0]), b = of(heads[1]);
  return Explanation{{"= " + formatted(a) + " − " + signedOperand(b)}, a - b, false};
}

std::optional<Explanation> patternShare(const Operands& o) {
  const auto [head, query, key, unused] = o.cell.index;
  std::vector<float> scores;
  for (int s = 0; s < o.extent(o.cell.tensor, 2); ++s)
    scores.push_back(o.here("attn.hook_attn_scores", {head, query, s}));
  return softmax(scores, static_cast<std::size_t>(key), "keys");
}
std::optional<Explanation> weightedValues(const Operands& o) {
  const auto [query, head, dimension, unused] = o.cell.index;
  struct Term {
    float share, value;
  };
  std::vector<Term> terms;
  double total = 0;
  for (int s = 0; s <= query; ++s) {
    const Term term{o.here("attn.hook_pattern", {head, query, s}),
                    o.here("attn.hook_v", {s, head, dimension})};
    total += static_cast<double>(term.share) * term.value;
    terms.push_back(term);
  }
  const std::size_t shown = std::min<std::size_t>(3, terms.size());
  std::partial_sort(
      terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(shown), terms.end(),
      [](const Term& a, const Term& b) { return std::abs(a.share * a.value) > std::abs(b.share * b.value); });
  std::string text = "=";
  for (std::size_t i = 0; i < shown; ++i)
    text += (i ? " + " : " ") + formatted(terms[i].share) + " · " + signedOperand(terms[i].value);
  if (terms.size() > shown) text += " + … " + std::to_string(terms.size() - shown) + " smaller ones";
  return Explanation{{text}, static_cast<float>(total), false};
}

constexpr ExplanationRule table[] = {
    {"hook_attn_scores", maskedScore},
    {"lens.scores.", unmaskedScore},
    {"hook_pattern", patternShare},
    {"lens.moved.difference.", headDifference},
    {"lens.pattern.difference.", headDifference},
    {"lens.moved.L", movedLength},
    {"hook_z", weightedValues},
};

}  // namespace

std::span<const ExplanationRule> attentionRules() { return table; }

}  // namespace glassformer
