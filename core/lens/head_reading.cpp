#include "core/lens/head_reading.h"

#include <algorithm>

#include "core/lens/equation_words.h"
#include "core/tensor/kernels.h"

namespace glassformer {
namespace {

using Of = HeadReading::Of;

// The weights that a head's queries, keys or values come off, below h.i.attn or h.i.crossattention, and where
// its columns begin there. Without weights they are columns of the stream.
struct ColumnsOfHead {
  const char* weights;  // null: there are none
  int first, count;
};
ColumnsOfHead columnsOf(const ModelConfig& config, HeadId head, Of what) {
  const bool isAcross = head.site == AttentionSite::Cross;
  const AttentionColumns columns = isAcross ? crossAttentionColumns(config) : selfAttentionColumns(config);
  const int K = config.headWidth(), shared = head.head * config.valueHeads() / config.heads;
  const int queries = isAcross ? 0 : columns.query;  // that stand before the keys
  // Where nothing but x is compared, or both sides are the same, keys are queries.
  const bool isOfQueries = what == Of::Query || (what == Of::Key && columns.key == 0);
  if (isOfQueries) return {columns.query == 0 ? nullptr : isAcross ? "q_attn" : "c_attn", head.head * K, K};
  if (what == Of::Key) return {"c_attn", queries + shared * K, K};
  if (columns.value == 0) return {nullptr, 0, config.width};
  const int width = columns.value / config.valueHeads();
  return {"c_attn", queries + columns.key + shared * width, width};
}

Stream streamRead(HeadId head, Of what) {
  return what == Of::Query ? queriesOf(head.site) : keysOf(head.site);
}

// What is there when the head reads it.
WrittenParts writtenBefore(const Transformer& model, HeadId head, Of what) {
  const bool isMemory = head.site == AttentionSite::Cross && what != Of::Query;
  if (!isMemory)
    return writtenParts(model, streamRead(head, what), attentionPoint(head.layer, head.site, ""));
  const bool isOfLast = model.config().crossMemory == CrossMemory::LastLayer;
  return writtenParts(model, Stream::Source,
                      isOfLast ? "" : blockPoint(model.config(), head.layer + 1, "", Stream::Source));
}

bool isOfInput(const ContributionPart& part) {
  using Kind = ContributionPart::Kind;
  return part.kind == Kind::Embedding || part.kind == Kind::Position || part.kind == Kind::TokenType;
}

}  // namespace

std::string writerName(const Transformer& model, int writer, Stream stream) {
  return writerNames(model, stream)[static_cast<std::size_t>(writer)];
}

std::vector<std::string> writerNames(const Transformer& model, Stream stream) {
  std::vector<std::string> names{"biases"};
  for (const ContributionPart& part : contributionParts(model, stream)) names.push_back(nameOf(part));
  return names;
}

std::optional<HeadId> headThatWrote(const Transformer& model, int writer, Stream stream) {
  if (writer == 0) return std::nullopt;
  const ContributionPart part = contributionParts(model, stream)[static_cast<std::size_t>(writer) - 1];
  return part.kind == ContributionPart::Kind::Head ? std::optional(part.head) : std::nullopt;
}

std::vector<WriterGroup> writersByBlock(const Transformer& model, Stream stream, int writers) {
  std::vector<WriterGroup> groups{{"biases", 0, 1}};
  int block = -1, writer = 1;
  for (const ContributionPart& part : contributionParts(model, stream)) {
    const bool isInput = isOfInput(part);
    if (writer == writers) break;
    if (isInput || part.head.layer != block)
      groups.push_back({isInput ? nameOf(part) : "block " + std::to_string(part.head.layer), writer, 0});
    if (!isInput) block = part.head.layer;
    ++groups.back().count, ++writer;
  }
  return groups;
}

std::string writerGroupName(const Transformer& model, int group, Stream stream) {
  const int writers = static_cast<int>(contributionParts(model, stream).size()) + 1;
  return writersByBlock(model, stream, writers)[static_cast<std::size_t>(group)].name;
}

Derivation derivedSum(const TensorView& ofWriters, const WriterGroup& group) {
  Derivation d;
  for (int i = group.first; i < group.first + group.count; ++i) d.terms.push_back({&ofWriters(i)});
  return d;
}

HeadReading::HeadReading(const Transformer& model, const Trace& trace, HeadId head, Of what)
    : config_(model.config()), stream_(streamRead(head, what)), written_(writtenBefore(model, head, what)) {
  for (const std::string& norm : written_.norms) norms_.emplace_back(model, trace, norm);
  const auto [weights, first, count] = columnsOf(config_, head, what);
  firstColumn_ = first, columns_ = count;
  if (!weights) return;
  const std::string name = attentionWeights(head.layer, head.site) + weights;
  const TensorView all = model.parameters()[name + ".weight"];
  weight_ = {all.data + first * all.stride[1], {all.extent[0], count}, {all.stride[0], all.stride[1]}};
  if (const int bias = model.parameters().find(name + ".bias"); bias >= 0)
    bias_ = {model.parameters().view(bias).data + first, {count}};
}

int HeadReading::writersOf(const Transformer& model, HeadId head, Of what) {
  return static_cast<int>(writtenBefore(model, head, what).parts.size()) + 1;
}

// x · W of this head's columns; columns of x itself where it has none.
Tensor HeadReading::projected(const TensorView& rows) const {
  const int R = rows.extent[0];
  Tensor result({R, columns_});
  for (int r = 0; r < R && !weight_.data; ++r) std::copy_n(&rows(r, firstColumn_), columns_, &result(r, 0));
  if (weight_.data)
    kernels().multiply({R, columns_, rows.extent[1], rows.data, rows.stride[0], rows.stride[1], weight_.data,
                        weight_.stride[0], weight_.stride[1], result.values().data(), columns_});
  return result;
}

Tensor HeadReading::of(const TensorView& rows, std::span<const Row> whose) const {
  Tensor carried({rows.extent[0], rows.extent[1]}, rows.copy());
  for (int r = 0; r < rows.extent[0]; ++r) {
    const auto [part, token] = whose[static_cast<std::size_t>(r)];
    const auto m = static_cast<std::size_t>(part);
    if (m < written_.first) std::fill_n(&carried(r, 0), rows.extent[1], 0.0f);
    for (std::size_t n = written_.from[m]; m >= written_.first && n < norms_.size(); ++n)
      norms_[n].carry(&carried(r, 0), token);
  }
  return projected(carried.view());
}

Tensor HeadReading::ofBiases(std::span<const int> tokens) const {
  const int R = static_cast<int>(tokens.size()), D = config_.width;
  Tensor rows({R, D});
  for (int r = 0; r < R; ++r)
    for (const FixedNorm& norm : norms_) {
      norm.carry(&rows(r, 0), tokens[static_cast<std::size_t>(r)]);
      for (int d = 0; norm.beta().data && d < D; ++d) rows(r, d) += norm.beta()(d);
    }
  Tensor result = projected(rows.view());
  for (int r = 0; r < R && bias_.data; ++r)
    for (int k = 0; k < columns_; ++k) result(r, k) += bias_(k);
  return result;
}

// What the norms' result is multiplied with for number k [D].
std::vector<float> HeadReading::readingOf(int k) const {
  std::vector<float> u(static_cast<std::size_t>(config_.width));
  for (int d = 0; d < config_.width; ++d)
    u[static_cast<std::size_t>(d)] = weight_.data ? weight_(d, k) : static_cast<float>(d == firstColumn_ + k);
  return u;
}

Derivation HeadReading::madeOfBiases(int token, int k) const {
  Derivation sum;
  std::vector<float> u = readingOf(k);
  for (std::size_t n = norms_.size(); n-- > 0; u = norms_[n].before(std::move(u), token)) {
    const TensorView& beta = norms_[n].beta();
    const bool isLast = n + 1 == norms_.size();
    for (int d = 0; beta.data && d < beta.extent[0]; ++d) {
      if (isLast && weight_.data)
        sum.terms.push_back({&beta(d), &weight_(d, k)});
      else if (const float worth = u[static_cast<std::size_t>(d)]; worth != 0)
        sum.terms.push_back({&beta(d), nullptr, worth});
    }
  }
  if (bias_.data) sum.terms.push_back({&bias_(k)});
  return sum;
}

std::optional<Derivation> HeadReading::madeOf(const AlongParts& parts, int part, int token, int k) const {
  const auto m = static_cast<std::size_t>(part);
  if (m < written_.first) return std::nullopt;
  std::vector<float> u = readingOf(k);
  for (std::size_t n = norms_.size(); n-- > written_.from[m];) u = norms_[n].before(std::move(u), token);
  return parts(part, token, u.data(), 1);
}

std::string HeadReading::equation(const std::string& x, const std::string& weights) const {
  const std::string read = throughNormsWords(config_, x, static_cast<int>(norms_.size()));
  return weight_.data ? read + " · " + weights : read;
}

std::string HeadReading::normsWords() const {
  return severalNormsWords(config_, static_cast<int>(norms_.size()));
}

}  // namespace glassformer
