#include "core/lens/head_reading.h"

#include <algorithm>
#include <numeric>

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

bool isOfInput(const ContributionPart& part) {
  using Kind = ContributionPart::Kind;
  return part.kind == Kind::Embedding || part.kind == Kind::Position || part.kind == Kind::TokenType;
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

std::vector<WriterGroup> writersByBlock(const Transformer& model, int layer) {
  std::vector<WriterGroup> groups{{writerName(model, 0), 0, 1}};
  int block = -1, writer = 1;
  for (const ContributionPart& part : contributionParts(model)) {
    const bool isInput = isOfInput(part);
    if (!isInput && part.head.layer >= layer) break;
    if (isInput || part.head.layer != block)
      groups.push_back({isInput ? nameOf(part) : "block " + std::to_string(part.head.layer), writer, 0});
    if (!isInput) block = part.head.layer;
    ++groups.back().count, ++writer;
  }
  return groups;
}

std::string writerGroupName(const Transformer& model, int group) {
  return writersByBlock(model, model.config().layers)[static_cast<std::size_t>(group)].name;
}

Derivation derivedSum(const TensorView& ofWriters, const WriterGroup& group) {
  Derivation d;
  for (int i = group.first; i < group.first + group.count; ++i) d.terms.push_back({&ofWriters(i)});
  return d;
}

int partsBefore(const Transformer& model, int layer) {
  return static_cast<int>(std::ranges::count_if(contributionParts(model), [&](const ContributionPart& part) {
    return isOfInput(part) || part.head.layer < layer;
  }));
}

std::string whyNoSumOfParts(const ModelConfig& config) {
  return isSumOfParts(config)
             ? ""
             : "the residual stream is no sum of what its sublayers add: norms come after the sum, or there "
               "is none";
}

HeadReading::HeadReading(const Transformer& model, const Trace& trace, HeadId head, Of what)
    : centred_(model.config().norm == NormKind::Layer) {
  const ModelConfig& config = model.config();
  const auto weights = [&](const std::string& name) {
    const int found = model.parameters().find("h." + std::to_string(head.layer) + "." + name);
    return found < 0 ? TensorView() : model.parameters().view(found);
  };
  if (config.hasNorms()) {
    gamma_ = weights("ln_1.weight"), beta_ = weights("ln_1.bias");
    scale_ = trace[blockPoint(config, head.layer, "ln1.hook_scale")];
  }
  const auto [first, count] = columnsOf(config, head.head, what);
  columns_ = count > 0 ? count : config.width;
  if (count == 0) return;
  const TensorView all = weights("attn.c_attn.weight"), bias = weights("attn.c_attn.bias");
  weight_ = {all.data + first * all.stride[1], {all.extent[0], count}, {all.stride[0], all.stride[1]}};
  if (bias.data) bias_ = {bias.data + first, {count}};
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
  if (!gamma_.data) return projected(rows);
  const int R = rows.extent[0], D = rows.extent[1];
  Tensor normalized({R, D});
  for (int r = 0; r < R; ++r) {
    const float* x = &rows(r, 0);
    const float mean = centred_ ? static_cast<float>(std::accumulate(x, x + D, 0.0) / D) : 0,
                sigma = scale_(tokens[static_cast<std::size_t>(r)], 0);
    for (int d = 0; d < D; ++d) normalized(r, d) = gamma_(d) * (x[d] - mean) / sigma;
  }
  return projected(normalized.view());
}

Tensor HeadReading::ofBiases() const {
  Tensor result({1, columns_});
  for (int k = 0; k < columns_; ++k) result(0, k) = static_cast<float>(madeOfBiases(k).value());
  return result;
}

Derivation HeadReading::madeOfBiases(int k) const {
  Derivation sum;
  if (beta_.data && !weight_.data) sum.terms.push_back({&beta_(k)});
  for (int d = 0; beta_.data && weight_.data && d < beta_.extent[0]; ++d)
    sum.terms.push_back({&beta_(d), &weight_(d, k)});
  if (bias_.data) sum.terms.push_back({&bias_(k)});
  return sum;
}

std::optional<Derivation> HeadReading::madeOf(const AlongParts& parts, int part, int token, int k) const {
  const int D = weight_.data ? weight_.extent[0] : columns_;
  std::vector<float> u(static_cast<std::size_t>(D));
  for (int d = 0; d < D; ++d)
    u[static_cast<std::size_t>(d)] = weight_.data ? weight_(d, k) : static_cast<float>(d == k);
  if (!gamma_.data) return parts(part, token, u.data(), 1);
  u = beforeNorm(std::move(u), gamma_, centred_ ? NormKind::Layer : NormKind::Rms);
  return parts(part, token, u.data(), 1.0 / scale_(token, 0));
}

}  // namespace glassformer
