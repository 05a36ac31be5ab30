#include "core/lens/neurons.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/model/point_names.h"

namespace glassformer {
namespace {

// Where the weights of a block are: "h.2.", "encoder.h.2.".
std::string blockWeights(const NeuronId& id) {
  return (id.stream == Stream::Source ? "encoder.h." : "h.") + std::to_string(id.layer) + ".";
}

// A column of a weight [in, out].
std::vector<float> columnOf(const TensorView& weight, int column) {
  std::vector<float> values(static_cast<std::size_t>(weight.extent[0]));
  for (int i = 0; i < weight.extent[0]; ++i) values[static_cast<std::size_t>(i)] = weight(i, column);
  return values;
}

bool readsThroughNorm(const ModelConfig& config) {
  return config.hasNorms() && (config.parallel || config.normPlacement != NormPlacement::Post);
}

// The norm that the logits are read through; empty: none.
std::string lastNorm(const ModelConfig& config) {
  if (!config.hasNorms()) return "";
  if (config.finalNorm) return "ln_f.weight";
  const bool isPost = config.normPlacement == NormPlacement::Post && !config.parallel;
  return isPost ? "h." + std::to_string(config.layers - 1) + ".ln_2.weight" : "";
}

bool takesMeanOut(const Transformer& model) { return model.config().norm == NormKind::Layer; }

void subtractMean(std::vector<float>& values) {
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  for (float& value : values) value -= static_cast<float>(mean);
}

void multiplyBy(const TensorView& gamma, std::vector<float>& values) {
  for (std::size_t d = 0; d < values.size(); ++d) values[d] *= gamma(static_cast<int>(d));
}

// What x is multiplied with where w reads it through a norm: with a layer norm, which takes the mean out of
// x, (x − mean(x)) · (γ ⊙ w) = x · (γ ⊙ w − mean(γ ⊙ w)).
std::vector<float> readThrough(const Transformer& model, const std::string& norm, std::vector<float> w) {
  if (norm.empty()) return w;
  multiplyBy(model.parameters()[norm], w);
  if (takesMeanOut(model)) subtractMean(w);
  return w;
}

// What becomes of w in the stream behind a norm: γ ⊙ (w − mean(w)).
std::vector<float> writtenThrough(const Transformer& model, const std::string& norm, std::vector<float> w) {
  if (norm.empty()) return w;
  if (takesMeanOut(model)) subtractMean(w);
  multiplyBy(model.parameters()[norm], w);
  return w;
}

// factor · rows_v · direction, for every row.
Tensor alongDirection(const TensorView& rows, const std::vector<float>& direction, double factor = 1) {
  Tensor products({rows.extent[0]});
  for (int v = 0; v < rows.extent[0]; ++v)
    products(v) = static_cast<float>(
        factor * std::inner_product(direction.begin(), direction.end(), &rows(v, 0), 0.0, std::plus<>(),
                                    [](float a, float b) { return static_cast<double>(a) * b; }));
  return products;
}

}  // namespace

std::string nameOf(const ModelConfig& config, const NeuronId& id) {
  const char* stack = !config.isEncoderDecoder() ? "" : id.stream == Stream::Source ? "enc." : "dec.";
  return stack + ("L" + std::to_string(id.layer)) + "N" + std::to_string(id.neuron);
}

std::string neuronPoint(const ModelConfig& config, int layer, Stream stream) {
  return blockPoint(config, layer, "mlp.hook_post", stream);
}

std::string neuronScalePoint(const ModelConfig& config, int layer, Stream stream) {
  if (!readsThroughNorm(config)) return "";
  const bool crosses = config.isEncoderDecoder() && stream == Stream::Text;
  return blockPoint(config, layer, crosses ? "ln3.hook_scale" : "ln2.hook_scale", stream);
}

std::string writingScalePoint(const ModelConfig& config) {
  const std::string norm = lastNorm(config);
  if (norm.empty()) return "";
  return norm == "ln_f.weight" ? stackPoint(config, "ln_final.hook_scale")
                               : blockPoint(config, config.layers - 1,
                                            config.isEncoderDecoder() ? "ln3.hook_scale" : "ln2.hook_scale");
}

std::string whyNoReading(const ModelConfig& config) {
  return config.oneResidual ? "the MLP reads the convolution, not the residual stream" : "";
}

std::string whyNoWriting(const ModelConfig& config, Stream stream) {
  if (config.hasSandwichNorm())
    return "the outputs of all neurons are normalized together before they are added";
  return config.isEncoderDecoder() && stream == Stream::Source
             ? "the decoder reads it: no token is predicted from it"
             : "";
}

std::vector<int> strongestFirst(TensorView a) {
  std::vector<int> order(static_cast<std::size_t>(a.extent[1]));
  std::vector<float> peaks(order.size(), 0);
  std::iota(order.begin(), order.end(), 0);
  for (int t = 0; t < a.extent[0]; ++t)
    for (const int f : order)
      if (float& peak = peaks[static_cast<std::size_t>(f)]; std::abs(a(t, f)) > peak)
        peak = std::abs(a(t, f));
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](int f) { return peaks[static_cast<std::size_t>(f)]; });
  return order;
}

void measureNeurons(const ModelConfig& config, const Trace& trace, int layer, Stream stream, TensorSet& set) {
  const TensorView a = trace[neuronPoint(config, layer, stream)];
  const int T = a.extent[0], F = a.extent[1];
  const std::vector<int> strongest = strongestFirst(a);
  Tensor peaks({F}), tokens({F}), order({F}, {strongest.begin(), strongest.end()});
  for (int f = 0; f < F; ++f) {
    int most = 0;
    for (int t = 1; t < T; ++t)
      if (std::abs(a(t, f)) > std::abs(a(most, f))) most = t;
    peaks(f) = a(most, f), tokens(f) = static_cast<float>(most);
  }
  set.add({neurons::order, "Y", "the neurons of the block, the strongest on this text first",
           "by max_t |a_f|", stream},
          std::move(order));
  set.add({neurons::peak, "F", "largest activation of each neuron", "a_f of the largest |a_f|", stream},
          std::move(peaks));
  set.add({neurons::peakToken, "F", "at which token each neuron is strongest", "argmax_t |a_f|", stream},
          std::move(tokens));
}

void measureNeuronWeights(const Transformer& model, const NeuronId& id, TensorSet& set) {
  const ModelConfig& config = model.config();
  const TensorView E = model.parameters()["wte.weight"],
                   in = model.parameters()[blockWeights(id) + "mlp.c_fc.weight"],
                   out = model.parameters()[blockWeights(id) + "mlp.c_proj.weight"];
  const std::string norm = readsThroughNorm(config) ? blockWeights(id) + "ln_2.weight" : "";
  const double factor = config.embeddingScale();
  const auto reads = [&](int column) {
    return alongDirection(E, readThrough(model, norm, columnOf(in, column)), factor);
  };
  const std::string equation =
      norm.empty() ? "E_v · W_in[:, f]" : "E_v · (γ ⊙ W_in[:, f] − mean), to be divided by σ";
  const bool isReached = whyNoReading(config).empty();
  if (isReached)
    set.add({neurons::reads, "V", "contribution of each token's embedding to the neuron's input", equation},
            reads(id.neuron));
  if (isReached && config.hasGatedMlp())
    set.add({neurons::readsLinear, "V",
             "contribution of each token's embedding to the neuron's linear branch", equation},
            reads(config.feedForward + id.neuron));
  if (!whyNoWriting(config, id.stream).empty()) return;
  const std::string last = lastNorm(config);
  set.add({neurons::writes, "V",
           "contribution of the neuron to each token's logit at activation 1, without later layers",
           last.empty() ? "W_out[f, :] · W_U,v" : "(γ ⊙ (W_out[f, :] − mean)) · W_U,v, to be divided by σ"},
          alongDirection(model.unembedding(), writtenThrough(model, last, out[id.neuron].copy()),
                         static_cast<double>(config.unembeddingScale())));
}

}  // namespace glassformer
