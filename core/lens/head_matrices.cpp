#include "core/lens/head_matrices.h"

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

// The norm of a head's own sublayer.
std::string normOf(HeadId head) {
  return blockPrefix(head.site, head.layer) + (head.site == AttentionSite::Across ? "ln_cross_attn" : "ln_1");
}

// The norms that the stream itself goes through between two places.
std::vector<std::string> normsOfStream(const ModelConfig& config, AttentionSite site, StreamPlace from,
                                       StreamPlace to) {
  std::vector<std::string> norms;
  if (config.normsBefore() || !config.hasNorms()) return norms;
  for (int layer = from.layer; layer <= to.layer; ++layer) {
    const bool isLast = layer == to.layer, isFirst = layer == from.layer;
    if (isLast && !to.isBehindOwn) break;
    const std::string block = blockPrefix(site, layer);
    if (!isFirst || !from.isBehindOwn) norms.push_back(block + "ln_1");
    if (isLast) break;
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

HeadMatrix normalizedBy(const Transformer& model, const std::string& norm, HeadMatrix rows) {
  rows = normalizedRows(model.config(), std::move(rows));
  rows.array().rowwise() *= rowOf(model.parameters()[norm + ".weight"]).array();
  if (model.config().norm == NormKind::Layer) rows.rowwise() += rowOf(model.parameters()[norm + ".bias"]);
  return rows;
}

HeadMatrices matricesOf(const Transformer& model, HeadId head) {
  const ModelConfig& config = model.config();
  const bool across = head.site == AttentionSite::Across;
  const int K = config.headWidth(), shared = head.head * config.valueHeads() / config.heads;
  const AttentionColumns columns = across ? crossAttentionColumns(config) : selfAttentionColumns(config);
  const std::string weights = attentionWeights(head.layer, head.site);
  const auto columnsAt = [&](const char* matrix, int column) -> HeadMatrix {
    return mappedWeights(model.parameters()[weights + matrix + ".weight"])
        .middleCols(column, K)
        .cast<double>();
  };
  const auto read = [&](const char* matrix, int column, bool behindNorm) {
    return behindNorm ? readingBehind(model, normOf(head), columnsAt(matrix, column))
                      : columnsAt(matrix, column);
  };
  const auto biasOf = [&](const char* matrix, int column, bool behindNorm) -> Eigen::RowVectorXd {
    Eigen::RowVectorXd bias = Eigen::RowVectorXd::Zero(K);
    if (behindNorm && config.norm == NormKind::Layer)
      bias += rowOf(model.parameters()[normOf(head) + ".bias"]) * columnsAt(matrix, column);
    if (config.biases != Biases::None)
      bias += rowOf(model.parameters()[weights + matrix + ".bias"]).segment(column, K);
    return bias;
  };
  const char* const queries = across ? "q_attn" : "c_attn";
  const bool asksBehind = readsBehindNorm(config), looksBehind = asksBehind && !across;
  const int key = (across ? 0 : columns.query) + shared * K, value = key + columns.key;
  HeadMatrices own{read(queries, head.head * K, asksBehind),
                   read("c_attn", key, looksBehind),
                   read("c_attn", value, looksBehind),
                   mappedWeights(model.parameters()[weights + "c_proj.weight"])
                       .middleRows(head.head * K, K)
                       .cast<double>(),
                   biasOf(queries, head.head * K, asksBehind),
                   biasOf("c_attn", key, looksBehind)};
  const auto scale = static_cast<double>(config.ofLayer(head.layer).scoreScale());
  own.q *= scale, own.queryBias *= scale;
  return own;
}

namespace {

// E_a of the tokens of a stack, behind all norms of its stream up to a place.
HeadMatrix embeddedAlone(const Transformer& model, AttentionSite site, StreamPlace to,
                         std::span<const int> tokens) {
  const ModelConfig& config = model.config();
  const TensorView embedding = model.parameters()["wte.weight"];
  HeadMatrix rows(static_cast<Eigen::Index>(tokens.size()), config.width);
  for (std::size_t i = 0; i < tokens.size(); ++i)
    rows.row(static_cast<Eigen::Index>(i)) = rowOf(embedding[tokens[i]]);
  rows *= config.embeddingScale();
  std::vector<std::string> norms = normsOfStream(config, site, {}, to);
  if (config.normsEmbedding()) norms.insert(norms.begin(), stackPrefix(site) + "ln_embed");
  if (site == AttentionSite::Encoder && to.layer == blocksAt(config, site) && config.finalNorm &&
      config.hasNorms())
    norms.push_back(stackPrefix(site) + "ln_f");
  for (const std::string& norm : norms) rows = normalizedBy(model, norm, std::move(rows));
  return rows;
}

// γ ⊙ q / √(mean(q²) + ε) of every row.
HeadMatrix normalizedInHead(const Transformer& model, HeadId head, const char* norm, HeadMatrix rows) {
  const Eigen::ArrayXd root = (rows.rowwise().squaredNorm().array() / static_cast<double>(rows.cols()) +
                               static_cast<double>(model.config().normEpsilon))
                                  .sqrt();
  rows.array().colwise() /= root;
  const std::string gamma = attentionWeights(head.layer, head.site) + norm + ".weight";
  rows.array().rowwise() *= rowOf(model.parameters()[gamma]).array();
  return rows;
}

}  // namespace

HeadMatrix tokensAlone(const Transformer& model, HeadId head, std::span<const int> tokens) {
  HeadMatrix rows = embeddedAlone(model, head.site, placeOf(head), tokens);
  return readsBehindNorm(model.config()) ? normalizedRows(model.config(), std::move(rows)) : rows;
}

HeadMatrix keysAlone(const Transformer& model, HeadId head, std::span<const int> tokens) {
  if (head.site != AttentionSite::Across) return tokensAlone(model, head, tokens);
  return embeddedAlone(model, AttentionSite::Encoder, endOf(model.config(), AttentionSite::Encoder), tokens);
}

bool hasNormedQueries(const ModelConfig& config, AttentionSite site) {
  return hasNormedQueries(config) && site != AttentionSite::Across;
}

HeadMatrix queriesOf(const Transformer& model, HeadId head, const HeadMatrices& own, const HeadMatrix& rows) {
  const HeadMatrix queries = (rows * own.q).rowwise() + own.queryBias;
  if (!hasNormedQueries(model.config(), head.site)) return queries;
  const auto scale = static_cast<double>(model.config().ofLayer(head.layer).scoreScale());
  return scale * normalizedInHead(model, head, "q_norm", queries / scale);
}

HeadMatrix keysOf(const Transformer& model, HeadId head, const HeadMatrices& own, const HeadMatrix& rows) {
  HeadMatrix keys = (rows * own.k).rowwise() + own.keyBias;
  return hasNormedQueries(model.config(), head.site)
             ? normalizedInHead(model, head, "k_norm", std::move(keys))
             : keys;
}

StreamPlace endOf(const ModelConfig& config, AttentionSite site) { return {blocksAt(config, site), false}; }

HeadMatrix writtenFor(const Transformer& model, HeadId head, StreamPlace to, const HeadMatrix& o) {
  const ModelConfig& config = model.config();
  std::vector<std::string> norms = normsOfStream(config, head.site, placeOf(head), to);
  // A norm before its sublayer is not met by what that sublayer adds; one behind it is the only one.
  if (config.normPlacement == NormPlacement::Residual && !norms.empty()) norms.erase(norms.begin());
  if (config.normsBehind()) norms = {normOf(head) + "_post"};
  if (to.layer == blocksAt(config, head.site) && config.finalNorm && config.hasNorms())
    norms.push_back(stackPrefix(head.site) + "ln_f");
  HeadMatrix rows = o;
  for (const std::string& norm : norms) {
    if (config.norm == NormKind::Layer) rows.colwise() -= rows.rowwise().mean().eval();
    rows.array().rowwise() *= rowOf(model.parameters()[norm + ".weight"]).array();
  }
  return rows;
}

}  // namespace glassformer
