#include "core/lens/residual_stream.h"

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "core/model/point_names.h"
#include "core/tensor/kernels.h"
#include "core/trace/derived.h"

namespace glassformer {
namespace {

// ‖row t‖ of a [T, D] tensor, into row `to` of the result.
void rowNorms(const TensorView& rows, int to, Tensor& result) {
  for (int t = 0; t < rows.extent[0]; ++t)
    result(to, t) = static_cast<float>(std::sqrt(kernels().sumOfSquares(&rows(t, 0), rows.extent[1])));
}

// ‖row t‖ of the tensor of place p, at (p, t).
Derivation lengthIn(const std::vector<TensorView>& places, const Index& at) {
  return derivedLength(places[static_cast<std::size_t>(at[0])][at[1]]);
}

// "attn" of "hook_attn_out"; empty for what no sublayer gives.
std::string sublayerThatGives(const std::string& part) {
  if (part == "hook_cross_attn_out") return "cross";
  const bool isOutput = part.starts_with("hook_") && part.ends_with("_out");
  return isOutput ? part.substr(5, part.size() - 9) : "";
}

// What a sublayer's output is added to, by the output's point: the stream where it has been passed on last,
// or the norm that the residual is taken from.
std::map<std::string, std::string> addedTo(const Transformer& model, Stream stream) {
  const auto places = residualPlaces(model, stream);
  std::map<std::string, std::string> base;
  std::size_t next = 0;
  std::string normalized;
  for (const std::string& point : model.points()) {
    const auto [stack, layer, scope, part] = placeOfPoint(point);
    if ((stream == Stream::Source) != (stack == "encoder")) continue;
    if (part.ends_with(".hook_normalized")) normalized = point;
    if (!sublayerThatGives(part).empty() && next > 0)
      base[point] =
          model.config().normPlacement == NormPlacement::Residual ? normalized : places[next - 1].passedOn;
    if (next < places.size() && places[next].point == point) ++next;
  }
  return base;
}

// What the layers add in one kind of sublayer, [L, T]: how long it is, and that beside what it is added to.
struct AddedLengths {
  const char *name, *point, *by, *symbol;
};
constexpr AddedLengths addedLengths[] = {
    {"attention", "hook_attn_out", "attention", "a"},
    {"recurrence", "hook_recurrence_out", "recurrence", "o"},
    {"convolution", "hook_convolution_out", "convolution", "c"},
    {"cross_attention", "hook_cross_attn_out", "attention to the source", "a"},
    {"mlp", "hook_mlp_out", "the MLP", "m"}};

void measureAdded(const Transformer& model, const Trace& trace, const AddedLengths& added, Stream stream,
                  TensorSet& measurements) {
  const ModelConfig& config = model.config();
  const auto pointOf = [&](int layer) { return blockPoint(config, layer, added.point, stream); };
  if (!trace.contains(pointOf(0))) return;
  const int L = blocksOf(config, stream), T = trace[pointOf(0)].extent[0];
  Tensor norms({L, T}), before({L, T}), shares({L, T});
  std::vector<TensorView> outputs;
  for (int layer = 0; layer < L; ++layer) {
    outputs.push_back(trace[pointOf(layer)]);
    rowNorms(outputs.back(), layer, norms);
  }
  const std::string name = std::string(added.name), length = "‖" + std::string(added.symbol) + "‖";
  measurements.add({residualMeasurement(name + "_norm", stream), "LT",
                    "norm of the output of " + std::string(added.by) + "", length, stream},
                   std::move(norms), [outputs](const Index& at) { return lengthIn(outputs, at); });
  if (!config.residual) return;
  const auto base = addedTo(model, stream);
  for (int layer = 0; layer < L; ++layer) {
    if (!trace.contains(base.at(pointOf(layer)))) return;
    rowNorms(trace[base.at(pointOf(layer))], layer, before);
  }
  const TensorView lengths = measurements[residualMeasurement(name + "_norm", stream)];
  for (int layer = 0; layer < L; ++layer)
    for (int t = 0; t < T; ++t) shares(layer, t) = lengths(layer, t) / before(layer, t);
  measurements.add(
      {residualMeasurement(name + "_share", stream), "LT",
       "norm of the output of " + std::string(added.by) + ", relative to the stream", length + " / ‖x‖",
       stream},
      std::move(shares), [lengths, before](const Index& at) {
        return Derivation{.terms = {{&lengths(at[0], at[1]), nullptr, 1 / before.view()(at[0], at[1])}}};
      });
}

}  // namespace

std::vector<ResidualPlace> residualPlaces(const Transformer& model, Stream stream) {
  const bool post = model.config().normPlacement == NormPlacement::Post;
  const bool addsBoth = model.config().hasSingleResidualAdd() && model.config().hasFeedForward();
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
  const bool crosses = config.isEncoderDecoder() && stream == Stream::Text;
  return (config.hasSingleResidualAdd() ? 1 : 2) + (crosses ? 1 : 0);
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
  return config.residual && (config.normalizesInputs() || !config.hasNorms());
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
  std::vector<TensorView> states;
  for (const ResidualPlace& place : places) {
    states.push_back(trace[place.point]);
    rowNorms(states.back(), static_cast<int>(states.size()) - 1, norms);
  }
  measurements.add(
      described("residual_norm", "PT", "length of each token's residual after every sublayer", "‖x‖"),
      std::move(norms), [states](const Index& at) { return lengthIn(states, at); });
  for (const AddedLengths& added : addedLengths) {
    if (config.oneResidual && added.name == std::string_view("convolution")) continue;  // not added itself
    measureAdded(model, trace, added, stream, measurements);
  }
}

void measureNormScales(const Transformer& model, const Trace& trace, TensorSet& measurements, Stream stream) {
  const auto places = residualPlaces(model, stream);
  const int P = static_cast<int>(places.size()), T = trace[places[0].point].extent[0];
  Tensor scales({P, T});
  std::vector<TensorView> deviations;  // σ [T, 1]; nothing where no norm is
  for (int place = 0; place < P; ++place) {
    const std::string& point = places[static_cast<std::size_t>(place)].normScale;
    deviations.push_back(point.empty() ? TensorView() : trace[point]);
    for (int t = 0; t < T; ++t)
      scales(place, t) =
          point.empty() ? std::numeric_limits<float>::quiet_NaN() : 1 / deviations.back()(t, 0);
  }
  measurements.add(
      {residualMeasurement("norm_scale", stream), "PT", "scale of the norm for each token", "1 / σ", stream},
      std::move(scales), [deviations](const Index& at) -> std::optional<Derivation> {
        const TensorView& sigma = deviations[static_cast<std::size_t>(at[0])];
        if (!sigma.data) return std::nullopt;
        return Derivation{.form = Form::Quotient, .terms = {{}, {&sigma(at[1], 0)}}};
      });
}

}  // namespace glassformer
