#include "app/scene/explain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <sstream>

#include "app/scene/format.h"
#include "app/scene/scene_input.h"
#include "core/lens/head_id.h"

namespace glassformer {

namespace {

// Reads the operands of one cell of a block.
class Operands {
 public:
  Operands(const Snapshot& from, const Target& asked)
      : snapshot(from), target(asked), cell(asked.cell), sources(sourcesOf(from)) {
    if (!cell.tensor.starts_with("blocks.")) return;
    const std::size_t dot = cell.tensor.find('.', 7);
    layer = std::stoi(cell.tensor.substr(7, dot - 7));
  }

  std::string block(int of, const std::string& point) const {
    return "blocks." + std::to_string(of) + "." + point;
  }
  float at(const std::string& tensor, std::array<int, maxRank> index) const {
    return valueOf(sources, {tensor, index}).value_or(std::nanf(""));
  }
  float here(const std::string& point, std::array<int, maxRank> index) const {
    return at(block(layer, point), index);
  }
  float same(const std::string& point) const {
    return here(point, cell.index);
  }  ///< same index, other tensor
  int extent(const std::string& tensor, int dimension) const {
    const auto found = sources.find(tensor);
    return found ? found->extent[static_cast<std::size_t>(dimension)] : 0;
  }

  const Snapshot& snapshot;
  const Target& target;
  const TensorRef& cell;
  TensorSources sources;
  int layer = -1;
};

std::string signedOperand(float value) { return value < 0 ? "(" + formatted(value) + ")" : formatted(value); }

Explanation sum(float a, float b) { return {{"= " + formatted(a) + " + " + signedOperand(b)}, a + b, false}; }

std::optional<Explanation> firstResidual(const Operands& o) {
  if (o.layer == 0) return sum(o.at("hook_embed", o.cell.index), o.at("hook_pos_embed", o.cell.index));
  const float before = o.at(o.block(o.layer - 1, "hook_resid_post"), o.cell.index);
  return Explanation{{"as block " + std::to_string(o.layer - 1) + " left it"}, before, false};
}
std::optional<Explanation> afterAttention(const Operands& o) {
  return sum(o.same("hook_resid_pre"), o.same("hook_attn_out"));
}
std::optional<Explanation> afterMlp(const Operands& o) {
  return sum(o.same("hook_resid_mid"), o.same("hook_mlp_out"));
}

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

// exp(x_i) / Σ exp(x), shifted by the maximum where the numbers would be too large to write.
Explanation softmax(const std::vector<float>& values, std::size_t chosen, const std::string& over) {
  const float most = *std::max_element(values.begin(), values.end());
  const float shift = most > 8 || most < -8 ? most : 0;
  double total = 0;
  int count = 0;
  for (const float v : values)
    if (v > -INFINITY) total += std::exp(static_cast<double>(v) - shift), ++count;
  const auto part = static_cast<float>(std::exp(static_cast<double>(values[chosen]) - shift));
  const std::string exponent =
      shift == 0 ? formatted(values[chosen]) : formatted(values[chosen]) + " − " + signedOperand(shift);
  return {{"= exp(" + exponent + ") / Σ over " + std::to_string(count) + " " + over,
           "= " + formatted(part) + " / " + formatted(static_cast<float>(total))},
          part / static_cast<float>(total),
          false};
}
std::optional<Explanation> patternShare(const Operands& o) {
  const auto [head, query, key, unused] = o.cell.index;
  std::vector<float> scores;
  for (int s = 0; s < o.extent(o.cell.tensor, 2); ++s)
    scores.push_back(o.here("attn.hook_attn_scores", {head, query, s}));
  return softmax(scores, static_cast<std::size_t>(key), "keys");
}
std::optional<Explanation> nextToken(const Operands& o) {
  const auto [place, token, unused, unused2] = o.cell.index;
  if (o.target.token < 0 || place != o.extent(o.cell.tensor, 0) - 1) return std::nullopt;
  std::vector<float> logits;
  for (int v = 0; v < o.extent("logits", 1); ++v) logits.push_back(o.at("logits", {o.target.token, v}));
  if (logits.empty()) return std::nullopt;
  return softmax(logits, static_cast<std::size_t>(token), "tokens");
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

struct Moments {
  float mean, variance;
};
Moments momentsOf(const Operands& o, const std::string& residual, int token) {
  const int width = o.extent(residual, 1);
  double mean = 0, square = 0;
  for (int d = 0; d < width; ++d) mean += o.at(residual, {token, d});
  mean /= std::max(width, 1);
  for (int d = 0; d < width; ++d) square += std::pow(o.at(residual, {token, d}) - mean, 2);
  return {static_cast<float>(mean), static_cast<float>(square / std::max(width, 1))};
}
// What a normalization reads.
std::string normInput(const Operands& o) {
  if (o.cell.tensor.starts_with("ln_final")) return o.block(o.snapshot.config->layers - 1, "hook_resid_post");
  return o.block(o.layer,
                 o.cell.tensor.find("ln1") != std::string::npos ? "hook_resid_pre" : "hook_resid_mid");
}
std::optional<Explanation> normScale(const Operands& o) {
  const Moments m = momentsOf(o, normInput(o), o.cell.index[0]);
  const float epsilon = o.snapshot.config->normEpsilon;
  return Explanation{{"= √(" + formatted(m.variance) + " + " + formatted(epsilon) + ")"},
                     std::sqrt(m.variance + epsilon),
                     false};
}
std::optional<Explanation> normalized(const Operands& o) {
  const Moments m = momentsOf(o, normInput(o), o.cell.index[0]);
  const float sigma = std::sqrt(m.variance + o.snapshot.config->normEpsilon);
  const float x = o.at(normInput(o), o.cell.index);
  return Explanation{
      {"γ ⊙ (" + formatted(x) + " − " + signedOperand(m.mean) + ") / " + formatted(sigma) + " + β",
       "= γ ⊙ " + signedOperand((x - m.mean) / sigma) + " + β"},
      std::nullopt,
      false};
}

std::optional<Explanation> activation(const Operands& o) {
  const float u = o.same("mlp.hook_pre");
  const Activation kind = o.snapshot.config->activation;
  if (kind == Activation::Relu)
    return Explanation{{"= max(0, " + formatted(u) + ")"}, std::max(0.0f, u), false};
  const float inner = kind == Activation::Gelu
                          ? std::erf(u / std::numbers::sqrt2_v<float>)
                          : std::tanh(std::sqrt(2 / std::numbers::pi_v<float>) * (u + 0.044715f * u * u * u));
  return Explanation{{"= GELU(" + formatted(u) + ")"}, 0.5f * u * (1 + inner), false};
}

std::optional<Explanation> residualNorm(const Operands& o) {
  const auto [place, token, unused, unused2] = o.cell.index;
  const std::string residual = place == 0  ? o.block(0, "hook_resid_pre")
                               : place % 2 ? o.block((place - 1) / 2, "hook_resid_mid")
                                           : o.block((place - 1) / 2, "hook_resid_post");
  double square = 0;
  for (int d = 0; d < o.extent(residual, 1); ++d) square += std::pow(o.at(residual, {token, d}), 2);
  return Explanation{{"= √" + formatted(static_cast<float>(square)) + ", the sum of " +
                      std::to_string(o.extent(residual, 1)) + " squares"},
                     static_cast<float>(std::sqrt(square)),
                     false};
}

const BeamNode* nodeOf(const Operands& o) {
  const auto i = static_cast<std::size_t>(o.cell.index[0]);
  return o.snapshot.beam && i > 0 && i < o.snapshot.beam->nodes.size() ? &o.snapshot.beam->nodes[i] : nullptr;
}
std::optional<Explanation> hypothesis(const Operands& o) {
  const BeamNode* node = nodeOf(o);
  if (!node) return std::nullopt;
  const float before = o.at("beam.cumulative", {node->parent}),
              p = o.at("beam.probability", {o.cell.index[0]});
  return Explanation{{"= " + formatted(before) + " + ln " + formatted(p)}, before + std::log(p), false};
}
std::optional<Explanation> hypothesisScore(const Operands& o) {
  const BeamNode* node = nodeOf(o);
  if (!node) return std::nullopt;
  const float total = o.at("beam.cumulative", o.cell.index);
  // The penalty it was ranked with is in the numbers themselves.
  return Explanation{
      {"= " + formatted(total) + " / nᵅ with n = " + std::to_string(node->depth)}, std::nullopt, false};
}

struct Rule {
  std::string_view part;  // the end of a tensor's name, or its beginning where heads follow
  std::optional<Explanation> (*explain)(const Operands&);
};
constexpr std::array rules{
    Rule{"hook_resid_pre", firstResidual},
    Rule{"hook_resid_mid", afterAttention},
    Rule{"hook_resid_post", afterMlp},
    Rule{"hook_attn_scores", maskedScore},
    Rule{"lens.scores.", unmaskedScore},
    Rule{"hook_pattern", patternShare},
    Rule{"lens.moved.difference.", headDifference},
    Rule{"lens.pattern.difference.", headDifference},
    Rule{"lens.moved.L", movedLength},
    Rule{"hook_z", weightedValues},
    Rule{"hook_scale", normScale},
    Rule{"hook_normalized", normalized},
    Rule{"mlp.hook_post", activation},
    Rule{"lens.residual_norm", residualNorm},
    Rule{"lens.next_token", nextToken},
    Rule{"beam.cumulative", hypothesis},
    Rule{"beam.score", hypothesisScore},
};

bool agrees(float a, float b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return a == b || (std::isnan(a) && std::isnan(b));
  return std::abs(a - b) <= 2e-3f * (1 + std::abs(b));
}

}  // namespace

namespace {

// The cell of one side that a cell of the difference came from.
std::optional<float> valueOnSide(const Snapshot& side, const Snapshot& difference, const TensorRef& cell,
                                 int Alignment::Column::*text) {
  const TensorSources sources = sourcesOf(side);
  const TracePoint* point = sources.point(cell.tensor);
  if (!point) return std::nullopt;
  TensorRef own = cell;
  for (std::size_t d = 0; d < point->letters.size(); ++d)
    if (point->letters[d] == 'T' || point->letters[d] == 'S') {
      own.index[d] = difference.sides->alignment[cell.index[d]].*text;
      if (own.index[d] < 0) return std::nullopt;
    }
  return valueOf(sources, own);
}

std::optional<Explanation> explainDifference(const Snapshot& difference, const Target& target) {
  if (!valueOf(sourcesOf(difference), target.cell)) return std::nullopt;
  const auto a = valueOnSide(*difference.sides->a, difference, target.cell, &Alignment::Column::a);
  const auto b = valueOnSide(*difference.sides->b, difference, target.cell, &Alignment::Column::b);
  Explanation explanation;
  explanation.lines = {"this − the other", "= " + (a ? formatted(*a) : "nothing here") + " − " +
                                               (b ? formatted(*b) : "nothing there")};
  if (a && b) explanation.result = *a - *b;
  if (a && b) explanation.lines.back() += " = " + formatted(*a - *b);
  return explanation;
}

}  // namespace

std::optional<Explanation> explain(const Snapshot& snapshot, const Target& target) {
  if (target.cell.empty() || !snapshot.config) return std::nullopt;
  if (snapshot.isDifference()) return explainDifference(snapshot, target);
  const Operands operands(snapshot, target);
  const auto value = valueOf(operands.sources, target.cell);
  const auto rule = std::find_if(rules.begin(), rules.end(), [&](const Rule& r) {
    return target.cell.tensor.ends_with(r.part) ||
           (r.part.starts_with("lens.") && target.cell.tensor.starts_with(r.part));
  });
  if (!value || rule == rules.end()) return std::nullopt;
  auto explanation = rule->explain(operands);
  if (!explanation || !explanation->result) return explanation;
  if (explanation->lines.back().starts_with("="))
    explanation->lines.back() += " = " + formatted(*explanation->result);
  explanation->overridden = !agrees(*explanation->result, *value);
  return explanation;
}

}  // namespace glassformer
