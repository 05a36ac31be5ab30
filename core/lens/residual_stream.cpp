#include "core/lens/residual_stream.h"

#include <cmath>

#include "core/tensor/kernels.h"

namespace glassformer {
namespace {

// ‖row t‖ of a [T, D] tensor, into row `to` of the result.
void rowNorms(const TensorView& rows, int to, Tensor& result) {
  for (int t = 0; t < rows.extent[0]; ++t)
    result(to, t) = static_cast<float>(std::sqrt(kernels().sumOfSquares(&rows(t, 0), rows.extent[1])));
}

std::string block(int layer) { return "blocks." + std::to_string(layer) + "."; }

}  // namespace

int residualPlaces(int layers) { return 2 * layers + 1; }

std::string residualPlaceLabel(int place) {
  if (place == 0) return "embed";
  return std::to_string((place - 1) / 2) + (place % 2 == 1 ? " attn" : " mlp");
}

std::string residualPlacePoint(int place) {
  if (place == 0) return "blocks.0.hook_resid_pre";
  return block((place - 1) / 2) + (place % 2 == 1 ? "hook_resid_mid" : "hook_resid_post");
}

void measureResidualStream(const Trace& trace, int layers, TensorSet& measurements) {
  const int T = trace.tokenCount();
  Tensor norms({residualPlaces(layers), T}), attention({layers, T}), mlp({layers, T});
  for (int place = 0; place < residualPlaces(layers); ++place)
    rowNorms(trace[residualPlacePoint(place)], place, norms);
  for (int layer = 0; layer < layers; ++layer) {
    rowNorms(trace[block(layer) + "hook_attn_out"], layer, attention);
    rowNorms(trace[block(layer) + "hook_mlp_out"], layer, mlp);
  }
  measurements.add(
      {"lens.residual_norm", "PT", "length of each token's residual after every half-layer", "‖x‖"},
      std::move(norms));
  measurements.add({"lens.attention_norm", "LT", "length of what attention adds", "‖a‖"},
                   std::move(attention));
  measurements.add({"lens.mlp_norm", "LT", "length of what the MLP adds", "‖m‖"}, std::move(mlp));
}

std::string normScalePoint(int place, int layers) {
  if (place == 2 * layers) return "ln_final.hook_scale";
  return block(place / 2) + (place % 2 == 0 ? "ln1.hook_scale" : "ln2.hook_scale");
}

void measureNormScales(const Trace& trace, int layers, TensorSet& measurements) {
  const int P = residualPlaces(layers), T = trace.tokenCount();
  Tensor scales({P, T});
  for (int place = 0; place < P; ++place) {
    const TensorView sigma = trace[normScalePoint(place, layers)];
    for (int t = 0; t < T; ++t) scales(place, t) = 1 / sigma(t, 0);
  }
  measurements.add(
      {"lens.norm_scale", "PT", "how much the norm that reads there stretches each token", "1 / σ"},
      std::move(scales));
}

}  // namespace glassformer
