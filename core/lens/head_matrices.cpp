#include "core/lens/head_matrices.h"

#include <cmath>
#include <vector>

#include "core/lens/head_scores.h"
#include "core/model/point_names.h"

namespace glassformer {
namespace {

using HeadMatrix = Eigen::MatrixXd;

Eigen::RowVectorXd rowOf(const TensorView& vector) {
  const std::vector<float> values = vector.copy();
  return Eigen::Map<const Eigen::RowVectorXf>(values.data(), static_cast<Eigen::Index>(values.size()))
      .cast<double>();
}

std::string stackPrefix(AttentionSite site) { return site == AttentionSite::Encoder ? "encoder." : ""; }
std::string blockPrefix(AttentionSite site, int layer) {
  return stackPrefix(site) + "h." + std::to_string(layer) + ".";
}

// Whether a head reads a normalized copy of the stream or, of LN(x) + f(LN(x)), the normalized stream itself.
bool readsBehindNorm(const ModelConfig& config) {
  return config.normsBefore() || config.normPlacement == NormPlacement::Residual;
}

// The norms that the stream itself goes through in blocks [from, to).
std::vector<std::string> normsOfStream(const ModelConfig& config, AttentionSite site, int from, int to) {
  std::vector<std::string> norms;
  if (config.normsBefore() || !config.hasNorms()) return norms;
  for (int layer = from; layer < to; ++layer) {
    const std::string block = blockPrefix(site, layer);
    norms.push_back(block + "ln_1");
    if (config.reads() && site != AttentionSite::Encoder) norms.push_back(block + "ln_cross_attn");
    if (config.hasFeedForward()) norms.push_back(block + "ln_2");
  }
  return norms;
}

// What reads behind a norm: γ ⊙ W, and of a layer norm the mean of every column out.
HeadMatrix readingBehind(const Transformer& model, const std::string& norm, HeadMatrix weights) {
  weights.array().colwise() *= rowOf(model.parameters()[norm + ".weight"]).transpose().array();
  if (model.config().norm == NormKind::Layer) weights.rowwise() -= weights.colwise().mean().eval();
  return weights;
}

// (x − mean) / σ of every row, of an RMS norm x / σ.
HeadMatrix normalizedRows(const ModelConfig& config, HeadMatrix rows) {
  if (config.norm == NormKind::Layer) rows.colwise() -= rows.rowwise().mean().eval();
  const Eigen::ArrayXd sigma =
      (rows.rowwise().squaredNorm().array() / config.width + static_cast<double>(config.normEpsilon)).sqrt();
  rows.array().colwise() /= sigma;
  return rows;
}

}  // namespace

MappedWeights mappedWeights(const TensorView& matrix) {
  return {matrix.data, matrix.extent[0], matrix.extent[1], Eigen::OuterStride<>(matrix.stride[0])};
}

HeadMatrices matricesOf(const Transformer& model, HeadId head) {
  const ModelConfig& config = model.config();
  const int K = config.headWidth(), shared = head.head * config.valueHeads() / config.heads;
  const AttentionColumns columns = selfAttentionColumns(config);
  const std::string weights = attentionWeights(head.layer, head.site),
                    norm = blockPrefix(head.site, head.layer) + "ln_1";
  const MappedWeights fused = mappedWeights(model.parameters()[weights + "c_attn.weight"]),
                      output = mappedWeights(model.parameters()[weights + "c_proj.weight"]);
  const auto columnsAt = [&](int column) -> HeadMatrix { return fused.middleCols(column, K).cast<double>(); };
  const auto read = [&](int column) {
    return readsBehindNorm(config) ? readingBehind(model, norm, columnsAt(column)) : columnsAt(column);
  };
  HeadMatrices own{read(head.head * K), read(columns.query + shared * K),
                   read(columns.query + columns.key + shared * K),
                   output.middleRows(head.head * K, K).cast<double>(), Eigen::RowVectorXd::Zero(K)};
  if (readsBehindNorm(config) && config.norm == NormKind::Layer)
    own.queryBias += rowOf(model.parameters()[norm + ".bias"]) * columnsAt(head.head * K);
  if (config.biases != Biases::None)
    own.queryBias += rowOf(model.parameters()[weights + "c_attn.bias"]).segment(head.head * K, K);
  const auto scale = static_cast<double>(config.ofLayer(head.layer).scoreScale());
  own.q *= scale, own.queryBias *= scale;
  return own;
}

HeadMatrix tokensAlone(const Transformer& model, HeadId head, std::span<const int> tokens) {
  const ModelConfig& config = model.config();
  const TensorView embedding = model.parameters()["wte.weight"];
  HeadMatrix rows(static_cast<Eigen::Index>(tokens.size()), config.width);
  for (std::size_t i = 0; i < tokens.size(); ++i)
    rows.row(static_cast<Eigen::Index>(i)) = rowOf(embedding[tokens[i]]);
  if (config.scaledEmbedding) rows *= std::sqrt(config.width);
  std::vector<std::string> norms = normsOfStream(config, head.site, 0, head.layer);
  if (config.normsEmbedding()) norms.insert(norms.begin(), stackPrefix(head.site) + "ln_embed");
  for (const std::string& norm : norms) {
    rows = normalizedRows(config, std::move(rows));
    rows.array().rowwise() *= rowOf(model.parameters()[norm + ".weight"]).array();
    if (config.norm == NormKind::Layer) rows.rowwise() += rowOf(model.parameters()[norm + ".bias"]);
  }
  return readsBehindNorm(config) ? normalizedRows(config, std::move(rows)) : rows;
}

HeadMatrix writtenFor(const Transformer& model, HeadId head, int layer, const HeadMatrix& o) {
  const ModelConfig& config = model.config();
  std::vector<std::string> norms = normsOfStream(config, head.site, head.layer, layer);
  // A norm before its sublayer is not met by what that sublayer adds; one behind it is the only one.
  if (config.normPlacement == NormPlacement::Residual && !norms.empty()) norms.erase(norms.begin());
  if (config.normsBehind()) norms = {blockPrefix(head.site, head.layer) + "ln_1_post"};
  if (layer == blocksAt(config, head.site) && config.finalNorm && config.hasNorms())
    norms.push_back(stackPrefix(head.site) + "ln_f");
  HeadMatrix rows = o;
  for (const std::string& norm : norms) {
    if (config.norm == NormKind::Layer) rows.colwise() -= rows.rowwise().mean().eval();
    rows.array().rowwise() *= rowOf(model.parameters()[norm + ".weight"]).array();
  }
  return rows;
}

}  // namespace glassformer
