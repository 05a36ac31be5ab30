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
  Tensor norms({config.layers, trace[blockPoint(config, 0, point, stream)].extent[0]});
  for (int layer = 0; layer < config.layers; ++layer)
    rowNorms(trace[blockPoint(config, layer, point, stream)], layer, norms);
  measurements.add(std::move(description), std::move(norms));
}

const char* labelOf(Mixing mixing) {
  return mixing == Mixing::Recurrence ? "recurrence" : mixing == Mixing::Convolution ? "convolution" : "attn";
}

}  // namespace

std::vector<ResidualPlace> residualPlaces(const ModelConfig& config, Stream stream) {
  const bool crosses = config.reads() && stream == Stream::Text,
             post = config.normPlacement == NormPlacement::Post;
  const auto at = [&](int layer, const char* point) { return blockPoint(config, layer, point, stream); };
  std::vector<const char*> sublayers{config.parallel ? "block" : labelOf(config.mixing)};
  if (crosses) sublayers.push_back("cross");
  if (config.hasFeedForward() && !config.parallel) sublayers.push_back("mlp");

  ResidualPlace start{"embed", at(0, "hook_resid_pre"), at(0, "hook_resid_pre"), ""};
  if (post && config.normsEmbedding())
    start.point = stackPoint(config, "hook_embed_sum", stream),
    start.normScale = stackPoint(config, "embed.ln.hook_scale", stream);
  std::vector<ResidualPlace> places{std::move(start)};
  for (int layer = 0; layer < config.layers; ++layer)
    for (std::size_t i = 0; i < sublayers.size(); ++i) {
      const bool last = i + 1 == sublayers.size();
      const std::string norm = "ln" + std::to_string(i + 1);
      const char* sum = last ? "hook_resid_post" : i == 0 ? "hook_resid_mid" : "hook_resid_mid_cross";
      ResidualPlace place{std::to_string(layer) + " " + sublayers[i], at(layer, sum), at(layer, sum), ""};
      if (post) place.passedOn = at(layer, (norm + ".hook_normalized").c_str());
      // Before or after: the norm belongs to the place that it reads.
      if (config.hasNorms())
        (post ? place : places.back()).normScale = at(layer, (norm + ".hook_scale").c_str());
      places.push_back(std::move(place));
    }
  // An encoder that hands on every layer's table has none behind the last.
  const bool finishes = stream == Stream::Text || config.crossMemory == CrossMemory::LastLayer;
  if (config.hasNorms() && config.finalNorm && !post && finishes)
    places.back().normScale = stackPoint(config, "ln_final.hook_scale", stream);
  return places;
}

bool isSumOfParts(const ModelConfig& config) {
  const bool untouched =
      config.normPlacement == NormPlacement::Pre || config.normPlacement == NormPlacement::None;
  return config.residual && untouched;
}

bool isLogitSumOfParts(const ModelConfig& config) { return isSumOfParts(config) && !config.headTransform; }

std::string residualMeasurement(std::string_view name, Stream stream) {
  return (stream == Stream::Source ? "lens.encoder." : "lens.") + std::string(name);
}

void measureResidualStream(const Trace& trace, const ModelConfig& config, TensorSet& measurements,
                           Stream stream) {
  const auto places = residualPlaces(config, stream);
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
  addedNorms(trace, config, "hook_convolution_out",
             described("convolution_norm", "LT", "length of what convolution adds", "‖c‖"), measurements);
  addedNorms(trace, config, "hook_cross_attn_out",
             described("cross_attention_norm", "LT", "length of what attention to the source adds", "‖a‖"),
             measurements);
  addedNorms(trace, config, "hook_mlp_out", described("mlp_norm", "LT", "length of what the MLP adds", "‖m‖"),
             measurements);
}

void measureNormScales(const Trace& trace, const ModelConfig& config, TensorSet& measurements,
                       Stream stream) {
  const auto places = residualPlaces(config, stream);
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
