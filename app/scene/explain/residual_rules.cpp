#include "app/scene/explain/operands.h"

#include <cmath>
#include <numbers>

#include "app/scene/format.h"
#include "core/lens/contributions.h"
#include "core/lens/residual_stream.h"

namespace glassformer {

namespace {

std::optional<Explanation> firstResidual(const Operands& o) {
  if (o.layer == 0 && o.sources.contains(o.stack("hook_pos_embed")))
    return sum(o.at(o.stack("hook_embed"), o.cell.index), o.at(o.stack("hook_pos_embed"), o.cell.index));
  if (o.layer == 0)
    return Explanation{{"the embedding itself"}, o.at(o.stack("hook_embed"), o.cell.index), false};
  const auto places = residualPlaces(o.config, o.stream);
  const std::size_t perBlock = (places.size() - 1) / static_cast<std::size_t>(o.config.layers);
  const float before = o.at(places[perBlock * static_cast<std::size_t>(o.layer)].passedOn, o.cell.index);
  return Explanation{{"as block " + std::to_string(o.layer - 1) + " left it"}, before, false};
}

// What a sublayer adds to.
std::string keptBy(const Operands& o, const std::vector<ResidualPlace>& places, std::size_t place) {
  const std::size_t perBlock = (places.size() - 1) / static_cast<std::size_t>(o.config.layers);
  const std::string norm = "ln" + std::to_string((place - 1) % perBlock + 1) + ".hook_normalized";
  return o.config.normPlacement == NormPlacement::Residual ? o.block(o.layer, norm)
                                                           : places[place - 1].passedOn;
}
// The stream after a sublayer: what it kept, and what was added.
std::optional<Explanation> afterSublayer(const Operands& o) {
  const auto places = residualPlaces(o.config, o.stream);
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i].point != o.cell.tensor) continue;
    const std::string& label = places[i].label;
    const char* added = label.ends_with("mlp")     ? "hook_mlp_out"
                        : label.ends_with("cross") ? "hook_cross_attn_out"
                                                   : mixedOut(o.config.mixing);
    if (!o.config.residual) return Explanation{{"what took its place"}, o.same(added), false};
    return sum(o.at(keptBy(o, places, i), o.cell.index), o.same(added));
  }
  return std::nullopt;
}

struct Moments {
  float mean, variance;
};
// About the mean; of an RMS norm about zero.
Moments momentsOf(const Operands& o, const std::string& residual, int token) {
  const int width = o.extent(residual, 1);
  double mean = 0, square = 0;
  if (o.config.norm == NormKind::Layer)
    for (int d = 0; d < width; ++d) mean += o.at(residual, {token, d});
  mean /= std::max(width, 1);
  for (int d = 0; d < width; ++d) square += std::pow(o.at(residual, {token, d}) - mean, 2);
  return {static_cast<float>(mean), static_cast<float>(square / std::max(width, 1))};
}
// What a normalization reads: the stream in front of its sublayer, or the sum behind it.
std::string normInput(const Operands& o) {
  const auto places = residualPlaces(o.config, o.stream);
  const std::size_t norm = o.cell.tensor.find("ln");
  if (o.layer < 0) return places.back().passedOn;
  const std::size_t perBlock = (places.size() - 1) / static_cast<std::size_t>(o.config.layers);
  const auto sublayer = static_cast<std::size_t>(o.cell.tensor[norm + 2] - '1');
  const std::size_t before = perBlock * static_cast<std::size_t>(o.layer) + sublayer;
  return o.config.normPlacement == NormPlacement::Post ? places[before + 1].point : places[before].passedOn;
}
std::optional<Explanation> normScale(const Operands& o) {
  const Moments m = momentsOf(o, normInput(o), o.cell.index[0]);
  const float epsilon = o.config.normEpsilon;
  return Explanation{{"= √(" + formatted(m.variance) + " + " + formatted(epsilon) + ")"},
                     std::sqrt(m.variance + epsilon),
                     false};
}
std::optional<Explanation> normalized(const Operands& o) {
  const Moments m = momentsOf(o, normInput(o), o.cell.index[0]);
  const float scale = std::sqrt(m.variance + o.config.normEpsilon);
  const float x = o.at(normInput(o), o.cell.index);
  if (o.config.norm == NormKind::Rms)
    return Explanation{
        {"γ ⊙ " + formatted(x) + " / " + formatted(scale), "= γ ⊙ " + signedOperand(x / scale)},
        std::nullopt,
        false};
  return Explanation{
      {"γ ⊙ (" + formatted(x) + " − " + signedOperand(m.mean) + ") / " + formatted(scale) + " + β",
       "= γ ⊙ " + signedOperand((x - m.mean) / scale) + " + β"},
      std::nullopt,
      false};
}

std::optional<Explanation> activation(const Operands& o) {
  const float u = o.same("mlp.hook_pre");
  const Activation kind = o.config.activation;
  if (kind == Activation::SwiGlu) {
    const float gate = u / (1 + std::exp(-u)), w = o.same("mlp.hook_pre_linear");
    return Explanation{{"= silu(" + formatted(u) + ") · " + signedOperand(w),
                        "= " + formatted(gate) + " · " + signedOperand(w)},
                       gate * w,
                       false};
  }
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
  return residualPlaces(o.config, o.stream)[static_cast<std::size_t>(place)];
}

std::optional<Explanation> residualNorm(const Operands& o) {
  const auto [place, token, unused, unused2] = o.cell.index;
  return lengthOf(o, placeOf(o, place).point, token);
}

// Length of what attention, or what stands in its place, or the MLP of a block adds.
std::optional<Explanation> addedNorm(const Operands& o) {
  const auto [layer, token, unused, unused2] = o.cell.index;
  const char* point = o.cell.tensor.ends_with(".mlp_norm")               ? "hook_mlp_out"
                      : o.cell.tensor.ends_with(".cross_attention_norm") ? "hook_cross_attn_out"
                                                                         : mixedOut(o.config.mixing);
  return lengthOf(o, o.block(layer, point), token);
}

std::optional<Explanation> normStretch(const Operands& o) {
  const auto [place, token, unused, unused2] = o.cell.index;
  const std::string scale = placeOf(o, place).normScale;
  if (scale.empty()) return std::nullopt;  // no norm there
  const float sigma = o.at(scale, {token, 0});
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

std::optional<Explanation> contribution(const Operands& o) {
  const ModelConfig& config = o.config;
  const std::string point = pointOf(config, contributionPart(config, o.cell.index[1])),
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
  const std::string point = pointOf(o.config, contributionPart(o.config, o.cell.index[1]));
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

constexpr ExplanationRule residualTable[] = {
    {"hook_resid_pre", firstResidual},
    {"hook_resid_mid", afterSublayer},
    {"hook_resid_mid_cross", afterSublayer},
    {"hook_resid_post", afterSublayer},
    {"hook_scale", normScale},
    {"hook_normalized", normalized},
    {"mlp.hook_post", activation},
    {".residual_norm", residualNorm},
    {".attention_norm", addedNorm},
    {".recurrence_norm", addedNorm},
    {".convolution_norm", addedNorm},
    {".cross_attention_norm", addedNorm},
    {".mlp_norm", addedNorm},
    {".norm_scale", normStretch},
    {".residual_cosine", residualCosine},
    {"lens.contribution_norm", contributionNorm},
    {"lens.contribution", contribution},
    {"lens.logit_attribution.", logitPart},
};

}  // namespace

std::span<const ExplanationRule> residualRules() { return residualTable; }

}  // namespace glassformer
