#include "app/scene/explain/operands.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "app/scene/format.h"
#include "core/lens/head_id.h"
#include "core/model/positional/positional_encoding.h"

namespace glassformer {

namespace {

float eluPlusOne(float x) { return x > 0 ? x + 1 : std::exp(x); }

// How well a query matches a key, as far as the trace says it: not where weights add a bias to it, or are all
// there is.
std::optional<Explanation> matchOf(const Operands& o, HeadId at, int query, int key) {
  const auto point = [&](const char* name) { return attentionPoint(at.layer, at.site, name); };
  const bool turned = o.sources.contains(point("hook_rot_q"));
  const std::string q = point(turned ? "hook_rot_q" : "hook_q"), k = point(turned ? "hook_rot_k" : "hook_k");
  const int width = o.extent(q, 2);
  if (width == 0) return std::nullopt;
  const bool linear = o.config.kernel == AttentionKernel::Linear;
  const int keyHead = at.head * o.extent(k, 1) / o.config.heads;  // several queries may share a key
  double dot = 0;
  for (int d = 0; d < width; ++d) {
    const float a = o.at(q, {query, at.head, d}), b = o.at(k, {key, keyHead, d});
    dot += linear ? static_cast<double>(eluPlusOne(a)) * eluPlusOne(b) : static_cast<double>(a) * b;
  }
  const auto product = static_cast<float>(dot);
  if (linear) return Explanation{{"= φ(q) · φ(k), φ = elu + 1"}, product, false};
  const bool scaled = o.config.scaledScores;
  const float score = scaled ? product / std::sqrt(static_cast<float>(width)) : product;
  const std::string words =
      "= " + formatted(product) + (scaled ? " / √" + std::to_string(width) : std::string());
  const bool biased =
      at.site != AttentionSite::Across && !turned && o.config.positions->scoresEquation("") != "";
  if (biased) return Explanation{{words + ", and what the distance adds"}, std::nullopt, false};
  return Explanation{{scaled ? words : "= q · k"}, score, false};
}

bool isAllowed(const Operands& o, AttentionSite site, int query, int key) {
  return keysOf(site) == Stream::Source || o.config.mask.allows(query, key);
}
bool isMaskedBefore(const Operands& o) {
  return o.config.maskTime == MaskTime::BeforeSoftmax || o.config.kernel == AttentionKernel::Linear;
}

std::optional<Explanation> maskedScore(const Operands& o) {
  const auto [head, query, key, unused] = o.cell.index;
  if (!isAllowed(o, o.site, query, key) && isMaskedBefore(o)) {
    const bool later = o.config.mask.kind == MaskKind::Causal && key > query;
    return Explanation{
        {later ? "masked: a token sees none that come later" : "masked: this token is not seen"},
        valueOf(o.sources, o.cell),
        false};
  }
  return matchOf(o, {o.layer, head, o.site}, query, key);
}

// The heads that a measured plane is named after, one behind the other: "lens.pattern.difference.L2H0.L1H3",
// "lens.scores.cross.L0H1".
std::vector<HeadId> headsIn(const Operands& o) {
  std::vector<HeadId> heads;
  std::istringstream parts(o.cell.tensor);
  AttentionSite site = AttentionSite::Only;
  for (std::string part; std::getline(parts, part, '.');) {
    for (const AttentionSite each : {AttentionSite::Decoder, AttentionSite::Encoder, AttentionSite::Across})
      if (nameOf(HeadId{0, 0, each}) == part + ".L0H0") site = each;
    if (HeadId head;
        std::sscanf(part.c_str(), "L%dH%d", &head.layer, &head.head) == 2 && nameOf(head) == part)
      heads.push_back({head.layer, head.head, site});
  }
  return heads;
}
std::optional<Explanation> unmaskedScore(const Operands& o) {
  const auto heads = headsIn(o);
  if (heads.size() != 1) return std::nullopt;
  return matchOf(o, heads[0], o.cell.index[0], o.cell.index[1]);
}
std::optional<Explanation> movedLength(const Operands& o) {
  const auto heads = headsIn(o);
  if (heads.size() != 1 || o.cell.tensor != "lens.moved." + nameOf(heads[0])) return std::nullopt;
  const auto [query, key, unused, unused2] = o.cell.index;
  const std::string pattern = attentionPoint(heads[0].layer, heads[0].site, "hook_pattern");
  const float share = o.at(pattern, {heads[0].head, query, key});
  const float length = o.at("lens.value_norm." + nameOf(heads[0]), {key});
  return Explanation{{"= " + formatted(share) + " · " + formatted(length)}, share * length, false};
}
std::optional<Explanation> headDifference(const Operands& o) {
  const auto heads = headsIn(o);
  if (heads.size() != 2) return std::nullopt;
  const int query = o.cell.index[0], key = o.cell.index[1];
  const auto of = [&](HeadId head) {
    if (o.cell.tensor.starts_with("lens.moved")) return o.at("lens.moved." + nameOf(head), {query, key});
    return o.at(attentionPoint(head.layer, head.site, "hook_pattern"), {head.head, query, key});
  };
  const float a = of(heads[0]), b = of(heads[1]);
  return Explanation{{"= " + formatted(a) + " − " + signedOperand(b)}, a - b, false};
}

Explanation shareOf(const std::vector<float>& scores, std::size_t key) {
  double total = 0;
  for (const float s : scores)
    if (std::isfinite(s)) total += s;
  const float all = static_cast<float>(total);
  return {{"= " + formatted(scores[key]) + " / " + formatted(all)}, all > 0 ? scores[key] / all : 0, false};
}

std::optional<Explanation> patternShare(const Operands& o) {
  const auto [head, query, key, unused] = o.cell.index;
  std::vector<float> scores;  // a key that is masked afterwards counts no more than one masked before
  for (int s = 0; s < o.extent(o.cell.tensor, 2); ++s)
    scores.push_back(isAllowed(o, o.site, query, s) ? o.at(o.attention("hook_attn_scores"), {head, query, s})
                                                    : -INFINITY);
  const auto chosen = static_cast<std::size_t>(key);
  if (!isAllowed(o, o.site, query, key)) return Explanation{{"masked"}, 0.0f, false};
  switch (o.config.kernel) {
    case AttentionKernel::HardArgmax: {
      const auto most = std::max_element(scores.begin(), scores.end());
      const bool largest = most - scores.begin() == key;
      return Explanation{{largest ? "the largest score of its row" : "another score is larger"},
                         largest ? 1.0f : 0.0f,
                         false};
    }
    case AttentionKernel::Linear:
      return shareOf(scores, chosen);
    default:
      return softmax(scores, chosen, "keys");
  }
}
std::optional<Explanation> weightedValues(const Operands& o) {
  const auto [query, head, dimension, unused] = o.cell.index;
  struct Term {
    float share, value;
  };
  std::vector<Term> terms;
  double total = 0;
  const std::string pattern = o.attention("hook_pattern"), values = o.attention("hook_v");
  const int valueHead = head * o.extent(values, 1) / o.config.heads;
  for (int s = 0; s < o.extent(pattern, 2); ++s) {
    const Term term{o.at(pattern, {head, query, s}), o.at(values, {s, valueHead, dimension})};
    if (term.share == 0) continue;
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

constexpr ExplanationRule attentionTable[] = {
    {"hook_attn_scores", maskedScore},
    {"lens.scores.", unmaskedScore},
    {"hook_pattern", patternShare},
    {"lens.moved.difference.", headDifference},
    {"lens.pattern.difference.", headDifference},
    {"lens.moved.", movedLength},
    {"hook_z", weightedValues},
};

}  // namespace

std::span<const ExplanationRule> attentionRules() { return attentionTable; }

}  // namespace glassformer
