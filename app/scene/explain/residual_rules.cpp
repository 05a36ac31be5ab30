#include "app/scene/explain/operands.h"

#include <cmath>
#include <numbers>

#include "app/scene/format.h"
#include "core/lens/contributions.h"
#include "core/lens/residual_stream.h"

namespace glassformer {

namespace {

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

double dotOf(const Operands& o, const std::string& a, const std::string& b, int token) {
  double dot = 0;
  for (int d = 0; d < o.extent(a, 1); ++d)
    dot += static_cast<double>(o.at(a, {token, d})) * o.at(b, {token, d});
  return dot;
}

Explanation lengthOf(const Operands& o, const std::string& point, int token) {
  const double square = dotOf(o, point, point, token);
  return {{"= √" + formatted(static_cast<float>(square)) + ", the sum of " +
           std::to_string(o.extent(point, 1)) + " squares"},
          static_cast<float>(std::sqrt(square)),
          false};
}

ResidualPlace placeOf(const Operands& o, int place) {
  return residualPlaces(*o.snapshot.config)[static_cast<std::size_t>(place)];
}

std::optional<Explanation> residualNorm(const Operands& o) {
  const auto [place, token, unused, unused2] = o.cell.index;
  return lengthOf(o, placeOf(o, place).point, token);
}

// Length of what attention or the MLP of a block adds.
std::optional<Explanation> addedNorm(const Operands& o) {
  const auto [layer, token, unused, unused2] = o.cell.index;
  const bool attention = o.cell.tensor == "lens.attention_norm";
  return lengthOf(o, o.block(layer, attention ? "hook_attn_out" : "hook_mlp_out"), token);
}

std::optional<Explanation> normStretch(const Operands& o) {
  const auto [place, token, unused, unused2] = o.cell.index;
  const float sigma = o.at(placeOf(o, place).normScale, {token, 0});
  return Explanation{{"= 1 / " + formatted(sigma)}, 1 / sigma, false};
}

std::optional<Explanation> residualCosine(const Operands& o) {
  const auto [token, from, to, unused] = o.cell.index;
  const std::string a = placeOf(o, from).point, b = placeOf(o, to).point;
  const double along = dotOf(o, a, b, token);
  const auto lengthA = static_cast<float>(std::sqrt(dotOf(o, a, a, token))),
             lengthB = static_cast<float>(std::sqrt(dotOf(o, b, b, token)));
  return Explanation{{"= " + formatted(static_cast<float>(along)) + " / (" + formatted(lengthA) + " · " +
                      formatted(lengthB) + ")"},
                     static_cast<float>(along / (lengthA * lengthB)),
                     false};
}

// The trace point that holds what a part adds; heads and biases come off weights, which are in no trace.
std::string pointOf(const Operands& o, const ContributionPart& part) {
  using Kind = ContributionPart::Kind;
  if (part.kind == Kind::Embedding) return "hook_embed";
  if (part.kind == Kind::Position) return "hook_pos_embed";
  return part.kind == Kind::Mlp ? o.block(part.head.layer, "hook_mlp_out") : "";
}

std::optional<Explanation> contribution(const Operands& o) {
  const ModelConfig& config = *o.snapshot.config;
  const std::string point = pointOf(o, contributionPart(config, o.cell.index[1])),
                    final = o.block(config.layers - 1, "hook_resid_post");
  if (point.empty()) return std::nullopt;
  const int token = o.cell.index[0];
  const double along = dotOf(o, point, final, token), square = dotOf(o, final, final, token);
  return Explanation{
      {"= " + formatted(static_cast<float>(along)) + " / " + formatted(static_cast<float>(square))},
      static_cast<float>(along / square),
      false};
}

std::optional<Explanation> contributionNorm(const Operands& o) {
  const std::string point = pointOf(o, contributionPart(*o.snapshot.config, o.cell.index[1]));
  if (point.empty()) return std::nullopt;
  return lengthOf(o, point, o.cell.index[0]);
}

// One summand of the logit: the others, and the logit that they make.
std::optional<Explanation> logitPart(const Operands& o) {
  const int token = o.cell.index[0], entry = std::stoi(o.cell.tensor.substr(o.cell.tensor.rfind('.') + 1));
  double others = 0;
  for (int part = 0; part < o.extent(o.cell.tensor, 1); ++part)
    if (part != o.cell.index[1]) others += o.at(o.cell.tensor, {token, part});
  const float logit = o.at("logits", {token, entry});
  const auto rest = static_cast<float>(others);
  return Explanation{
      {"the logit minus what all others add", "= " + formatted(logit) + " − " + signedOperand(rest)},
      logit - rest,
      false};
}

constexpr ExplanationRule table[] = {
    {"hook_resid_pre", firstResidual},
    {"hook_resid_mid", afterAttention},
    {"hook_resid_post", afterMlp},
    {"hook_scale", normScale},
    {"hook_normalized", normalized},
    {"mlp.hook_post", activation},
    {"lens.residual_norm", residualNorm},
    {"lens.attention_norm", addedNorm},
    {"lens.mlp_norm", addedNorm},
    {"lens.norm_scale", normStretch},
    {"lens.residual_cosine", residualCosine},
    {"lens.contribution_norm", contributionNorm},
    {"lens.contribution", contribution},
    {"lens.logit_attribution.", logitPart},
};

}  // namespace

std::span<const ExplanationRule> residualRules() { return table; }

}  // namespace glassformer
