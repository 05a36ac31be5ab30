#include "core/lens/residual_stream.h"

#include <cmath>
#include <limits>

#include "core/model/point_names.h"
#include "core/tensor/kernels.h"

namespace glassformer {
namespace {

// ‖row t‖ of a [T, D] tensor, into row `to` of the result.
void rowNorms(const TensorView& rows, int to, Tensor& result) {
  for (int t = 0; t < rows.extent[0]; ++t)
    result(to, t) = static_cast<float>(std::sqrt(kernels().sumOfSquares(&rows(t, 0), rows.extent[1])));
}

// What the layers add in one kind of sublayer, [L, T].
void addedNorms(const Trace& trace, const ModelConfig& config, const char* point, TracePoint description,
                TensorSet& measurements) {
  const Stream stream = description.rows;
  if (!trace.contains(blockPoint(config, 0, point, stream))) return;
  const int L = blocksOf(config, stream);
  Tensor norms({L, trace[blockPoint(config, 0, point, stream)].extent[0]});
  for (int layer = 0; layer < L; ++layer)
    rowNorms(trace[blockPoint(config, layer, point, stream)], layer, norms);
  measurements.add(std::move(description), std::move(norms));
}

// "attn" of "hook_attn_out"; empty for what no sublayer gives.
std::string sublayerThatGives(const std::string& part) {
  if (part == "hook_cross_attn_out") return "cross";
  const bool isOutput = part.starts_with("hook_") && part.ends_with("_out");
  return isOutput ? part.substr(5, part.size() - 9) : "";
}

}  // namespace

std::vector<ResidualPlace> residualPlaces(const Transformer& model, Stream stream) {
  const bool post = model.config().normPlacement == NormPlacement::Post;
  const bool addsBoth = model.config().addsOnce() && model.config().hasFeedForward();
  std::vector<ResidualPlace> places;
  std::string sublayer;  // the last one that has given something
  for (const std::string& point : model.points()) {
    const auto [stack, layer, scope, part] = placeOfPoint(point);
    if ((stream == Stream::Source) != (stack == "encoder")) continue;
    const auto add = [&](const std::string& label) { places.push_back({label, point, point, ""}); };
    if (const std::string gives = sublayerThatGives(part); !gives.empty()) sublayer = gives;
    const bool isInput = part == "hook_resid_pre" || (post && part == "hook_embed_sum");
    if (isInput && places.empty()) add("embed");
    if (part.starts_with("hook_resid_mid") || part == "hook_resid_post")
      add(std::to_string(layer) + " " + (addsBoth ? "block" : sublayer));
    // A norm belongs to the place that it reads, whether it stands before the next sublayer or after the sum;
    // one between sublayers that add together reads no place.
    const bool isBetween = model.config().oneResidual && part.starts_with("ln2");
    const bool isNorm = (part.starts_with("ln") || part.starts_with("embed.ln")) && !isBetween;
    if (!isNorm || places.empty()) continue;
    ResidualPlace& last = places.back();
    if (part.ends_with(".hook_scale") && last.normScale.empty()) last.normScale = point;
    if (part.ends_with(".hook_normalized") && post && part != "ln_final.hook_normalized")
      last.passedOn = point;
  }
  return places;
}

int sumsPerBlock(const ModelConfig& config, Stream stream) {
  const bool crosses = config.reads() && stream == Stream::Text;
  return (config.addsOnce() ? 1 : 2) + (crosses ? 1 : 0);
}

std::vector<std::string> residualPoints(const ModelConfig& config, Stream stream) {
  const bool normsFirst = config.normPlacement == NormPlacement::Post && config.normsEmbedding();
  std::vector<std::string> points{normsFirst ? stackPoint(config, "hook_embed_sum", stream)
                                             : blockPoint(config, 0, "hook_resid_pre", stream)};
  for (int layer = 0; layer < blocksOf(config, stream); ++layer) {
    const int sums = sumsPerBlock(config, stream);
    if (sums > 1) points.push_back(blockPoint(config, layer, "hook_resid_mid", stream));
    if (sums > 2) points.push_back(blockPoint(config, layer, "hook_resid_mid_cross", stream));
    points.push_back(blockPoint(config, layer, "hook_resid_post", stream));
  }
  return points;
}

bool isSumOfParts(const ModelConfig& config) {
  return config.residual && (config.normsBefore() || !config.hasNorms());
}

bool isLogitSumOfParts(const ModelConfig& config) { return isSumOfParts(config) && !config.headTransform; }

std::string residualMeasurement(std::string_view name, Stream stream) {
  return (stream == Stream::Source ? "lens.encoder." : "lens.") + std::string(name);
}

void measureResidualStream(const Transformer& model, const Trace& trace, TensorSet& measurements,
                           Stream stream) {
  const ModelConfig& config = model.config();
  const auto places = residualPlaces(model, stream);
  const auto described = [&](const char* name, const char* letters, const char* meaning,
                             const char* equation) {
    return TracePoint{residualMeasurement(name, stream), letters, meaning, equation, stream};
  };
  Tensor norms({static_cast<int>(places.size()), trace[places[0].point].extent[0]});
  for (std::size_t place = 0; place < places.size(); ++place)
    rowNorms(trace[places[place].point], static_cast<int>(place), norms);
  measurements.add(
      described("residual_norm", "PT", "length of each token's residual after every sublayer", "‖x‖"),
      std::move(norms));
  addedNorms(trace, config, "hook_attn_out",
             described("attention_norm", "LT", "length of what attention adds", "‖a‖"), measurements);
  addedNorms(trace, config, "hook_recurrence_out",
             described("recurrence_norm", "LT", "length of what recurrence adds", "‖o‖"), measurements);
  if (!config.oneResidual)
    addedNorms(trace, config, "hook_convolution_out",
               described("convolution_norm", "LT", "length of what convolution adds", "‖c‖"), measurements);
  addedNorms(trace, config, "hook_cross_attn_out",
             described("cross_attention_norm", "LT", "length of what attention to the source adds", "‖a‖"),
             measurements);
  addedNorms(trace, config, "hook_mlp_out", described("mlp_norm", "LT", "length of what the MLP adds", "‖m‖"),
             measurements);
}

void measureNormScales(const Transformer& model, const Trace& trace, TensorSet& measurements, Stream stream) {
  const auto places = residualPlaces(model, stream);
  const int P = static_cast<int>(places.size()), T = trace[places[0].point].extent[0];
  Tensor scales({P, T});
  for (int place = 0; place < P; ++place) {
    const std::string& point = places[static_cast<std::size_t>(place)].normScale;
    for (int t = 0; t < T; ++t)
      scales(place, t) = point.empty() ? std::numeric_limits<float>::quiet_NaN() : 1 / trace[point](t, 0);
  }
  measurements.add({residualMeasurement("norm_scale", stream), "PT",
                    "how much the norm there stretches each token", "1 / σ", stream},
                   std::move(scales));
}

}  // namespace glassformer
