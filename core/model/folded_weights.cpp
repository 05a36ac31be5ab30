#include "core/model/folded_weights.h"

#include <algorithm>
#include <span>
#include <string>

#include "core/model/positional/positional_encoding.h"

namespace glassformer {
namespace {

bool canFold(const ModelConfig& config) {
  const bool attends = config.hasAttention() && config.kernel == AttentionKernel::Softmax &&
                       config.maskTime == MaskTime::BeforeSoftmax &&
                       config.similarity == Similarity::QueriesAndKeys &&
                       config.readout == Readout::ValuesAndOutput;
  const bool norms = config.normPlacement == NormPlacement::Pre && config.finalNorm;
  const bool ends = !config.isEncoderDecoder() && !config.hasClassHead() && !config.headTransform &&
                    config.logitCap == 0 && config.positions->ownColumns(config) == 0;
  return attends && norms && ends && config.hasFeedForward();
}

// What is folded needs biases to go to, and an unembedding of its own.
ModelConfig foldedConfig(ModelConfig config) {
  const bool shifts = config.norm == NormKind::Layer;
  config.tiedUnembedding = false;
  config.unembeddingBias = config.unembeddingBias || shifts;
  if (shifts || config.biases != Biases::None) config.biases = Biases::All;
  return config;
}

class FoldedWeights {
 public:
  explicit FoldedWeights(const Transformer& model)
      : config_(foldedConfig(model.config())), weights_(parameterSpecs(config_)) {
    const Parameters& own = model.parameters();
    for (int i = 0; i < weights_.count(); ++i) {
      const std::string& name = weights_.spec(i).name;
      if (name == "lm_head.weight")
        take(name, model.unembedding());
      else if (own.find(name) >= 0)
        take(name, own[name]);
    }
  }

  Transformer fold(Folding how) {
    for (int layer = 0; layer < config_.layers; ++layer) {
      const std::string block = "h." + std::to_string(layer) + ".";
      foldNorm(block + "ln_1", block + "attn.c_attn");
      foldNorm(block + "ln_2", block + "mlp.c_fc");
    }
    foldNorm("ln_f", "lm_head");
    if (how == Folding::All && config_.norm == NormKind::Layer) centerStream();
    if (how == Folding::All) centerLogits();
    if (how == Folding::All && config_.biasesQueries()) foldValueBiases();
    return {config_, std::move(weights_)};
  }

 private:
  std::span<float> at(const std::string& name) {
    const int i = weights_.find(name);
    if (i < 0) return {};
    return weights_.values().subspan(weights_.offset(i), static_cast<std::size_t>(weights_.view(i).size()));
  }
  void take(const std::string& name, const TensorView& values) {
    std::ranges::copy(values.copy(), at(name).begin());
  }

  // n W + c with n = x̂ ∘ w + b becomes x̂ (w ∘ W) + (b W + c). The unembedding's rows are tokens.
  void foldNorm(const std::string& norm, const std::string& matrix) {
    const std::span<float> w = at(norm + ".weight"), b = at(norm + ".bias"), W = at(matrix + ".weight"),
                           c = at(matrix + ".bias");
    const std::size_t D = w.size(), outputs = W.size() / D;
    const bool isTable = matrix == "lm_head";
    for (std::size_t d = 0; d < D; ++d)
      for (std::size_t j = 0; j < outputs; ++j) {
        float& weight = isTable ? W[j * D + d] : W[d * outputs + j];
        if (!b.empty() && !c.empty()) c[j] += b[d] * weight;
        weight *= w[d];
      }
    std::ranges::fill(w, 1.0f), std::ranges::fill(b, 0.0f);
  }

  static void subtractMean(std::span<float> values, std::size_t stride) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); i += stride) sum += static_cast<double>(values[i]);
    const std::size_t count = (values.size() + stride - 1) / stride;
    for (std::size_t i = 0; i < values.size(); i += stride)
      values[i] -= static_cast<float>(sum / static_cast<double>(count));
  }
  // Every D numbers that are written into the stream, less their mean.
  void centerRows(std::span<float> rows) {
    const auto D = static_cast<std::size_t>(config_.width);
    for (; !rows.empty(); rows = rows.subspan(D)) subtractMean(rows.first(D), 1);
  }
  void centerStream() {
    centerRows(at("wte.weight")), centerRows(at("wpe.weight"));
    for (int layer = 0; layer < config_.layers; ++layer)
      for (const char* written : {".attn.c_proj", ".mlp.c_proj"})
        for (const char* part : {".weight", ".bias"})
          centerRows(at("h." + std::to_string(layer) + written + part));
  }
  void centerLogits() {
    const std::span<float> unembedding = at("lm_head.weight");
    const auto D = static_cast<std::size_t>(config_.width);
    for (std::size_t d = 0; d < D; ++d) subtractMean(unembedding.subspan(d), D);
    subtractMean(at("lm_head.bias"), 1);
  }

  // Attention weights add up to 1: z = A v + b_V, so b_V W_O is a constant of its output.
  void foldValueBiases() {
    const auto D = static_cast<std::size_t>(config_.width), K = static_cast<std::size_t>(config_.headWidth()),
               shared = static_cast<std::size_t>(config_.heads / config_.valueHeads());
    const AttentionColumns columns = selfAttentionColumns(config_);
    for (int layer = 0; layer < config_.layers; ++layer) {
      const std::string attention = "h." + std::to_string(layer) + ".attn.";
      const std::span<float> values =
          at(attention + "c_attn.bias").subspan(static_cast<std::size_t>(columns.query + columns.key));
      const std::span<float> W = at(attention + "c_proj.weight"), b = at(attention + "c_proj.bias");
      for (std::size_t row = 0; row < W.size() / D; ++row)
        for (std::size_t d = 0; d < D; ++d) b[d] += values[row / K / shared * K + row % K] * W[row * D + d];
      std::ranges::fill(values, 0.0f);
    }
  }

  ModelConfig config_;
  Parameters weights_;
};

}  // namespace

std::optional<Transformer> folded(const Transformer& model, Folding how) {
  if (!canFold(model.config())) return std::nullopt;
  return FoldedWeights(model).fold(how);
}

}  // namespace glassformer
