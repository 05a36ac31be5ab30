#include "app/explain/operands.h"

#include <cmath>

#include "app/scene/format.h"
#include "core/lens/contributions.h"
#include "core/lens/residual_stream.h"

namespace glassformer {

namespace {

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
  return residualPlaces(o.model, o.stream)[static_cast<std::size_t>(place)];
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
  const std::string point = pointOf(config, contributionPart(o.model, o.cell.index[1])),
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
  const std::string point = pointOf(o.config, contributionPart(o.model, o.cell.index[1]));
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
