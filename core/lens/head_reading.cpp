#include "core/lens/head_reading.h"

#include <numeric>

#include "core/lens/contributions.h"
#include "core/lens/residual_stream.h"
#include "core/tensor/kernels.h"

namespace glassformer {
namespace {

// Where a head's columns begin in h.i.attn.c_attn, and how many they are.
std::pair<int, int> columnsOf(const ModelConfig& config, int head, HeadReading::Of what) {
  const AttentionColumns columns = selfAttentionColumns(config);
  const int K = config.headWidth(), shared = head * config.valueHeads() / config.heads;
  if (what == HeadReading::Of::Query) return {head * K, K};
  if (what == HeadReading::Of::Key) return {columns.query + shared * K, K};
  const int width = columns.value / config.valueHeads();
  return {columns.query + columns.key + shared * width, width};
}

}  // namespace

std::string writerName(const Transformer& model, int writer) {
  return writer == 0 ? "biases" : nameOf(contributionPart(model, writer - 1));
}

std::optional<HeadId> headThatWrote(const Transformer& model, int writer) {
  if (writer == 0) return std::nullopt;
  const ContributionPart part = contributionPart(model, writer - 1);
  return part.kind == ContributionPart::Kind::Head ? std::optional(part.head) : std::nullopt;
}

int partsBefore(const Transformer& model, int layer) {
  int count = 0;
  for (const ContributionPart& part : contributionParts(model)) {
    using Kind = ContributionPart::Kind;
    const bool isInput =
        part.kind == Kind::Embedding || part.kind == Kind::Position || part.kind == Kind::TokenType;
    count += isInput || part.head.layer < layer;
  }
  return count;
}

std::string whyNoSumOfParts(const ModelConfig& config) {
  return isSumOfParts(config)
             ? ""
             : "the residual stream is no sum of what its sublayers add: norms come after the sum, or there "
               "is none";
}

HeadReading::HeadReading(const Transformer& model, const Trace& trace, HeadId head, Of what)
    : model_(model), trace_(trace), head_(head) {
  const auto [first, count] = columnsOf(model.config(), head.head, what);
  columns_ = count > 0 ? count : model.config().width;
  if (count == 0) return;
  const std::string weights = attentionWeights(head.layer, head.site) + "c_attn.";
  const TensorView all = model.parameters()[weights + "weight"];
  weight_ = {all.data + first * all.stride[1], {all.extent[0], count}, {all.stride[0], all.stride[1]}};
  if (const int bias = model.parameters().find(weights + "bias"); bias >= 0)
    bias_ = {model.parameters().view(bias).data + first, {count}};
}

TensorView HeadReading::norm(const char* kind) const {
  return model_.parameters()["h." + std::to_string(head_.layer) + ".ln_1." + kind];
}

// x · W of this head's columns; x itself where it has none.
Tensor HeadReading::projected(const TensorView& rows) const {
  const int R = rows.extent[0];
  if (!weight_.data) return Tensor({R, columns_}, rows.copy());
  Tensor result({R, columns_});
  kernels().multiply({R, columns_, rows.extent[1], rows.data, rows.stride[0], rows.stride[1], weight_.data,
                      weight_.stride[0], weight_.stride[1], result.values().data(), columns_});
  return result;
}

Tensor HeadReading::of(const TensorView& rows, std::span<const int> tokens) const {
  const ModelConfig& config = model_.config();
  if (!config.hasNorms()) return projected(rows);
  const int R = rows.extent[0], D = config.width;
  const TensorView gamma = norm("weight"), sigma = trace_[blockPoint(config, head_.layer, "ln1.hook_scale")];
  Tensor normalized({R, D});
  for (int r = 0; r < R; ++r) {
    const float* x = &rows(r, 0);
    const float mean = config.norm == NormKind::Rms
                           ? 0
                           : static_cast<float>(std::accumulate(x, x + D, 0.0) / static_cast<double>(D));
    for (int d = 0; d < D; ++d)
      normalized(r, d) = gamma(d) * (x[d] - mean) / sigma(tokens[static_cast<std::size_t>(r)], 0);
  }
  return projected(normalized.view());
}

Tensor HeadReading::ofBiases() const {
  const ModelConfig& config = model_.config();
  const bool isBiased = config.hasNorms() && config.norm == NormKind::Layer;
  const Tensor beta({1, config.width}, isBiased ? norm("bias").copy()
                                                : std::vector<float>(static_cast<std::size_t>(config.width)));
  Tensor result = projected(beta.view());
  for (int k = 0; bias_.data && k < columns_; ++k) result(0, k) += bias_(k);
  return result;
}

}  // namespace glassformer
