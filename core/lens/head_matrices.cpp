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
  return config.normalizesInputs() || config.normPlacement == NormPlacement::Residual;
}

// The norm of a head's own sublayer.
std::string normOf(HeadId head) {
  return blockPrefix(head.site, head.layer) + (head.site == AttentionSite::Cross ? "ln_cross_attn" : "ln_1");
}

// The norms that the stream itself goes through between two places.
std::vector<std::string> normsOfStream(const ModelConfig& config, AttentionSite site, StreamPlace from,
                                       StreamPlace to) {
  std::vector<std::string> norms;
  if (config.normalizesInputs() || !config.hasNorms()) return norms;
  for (int layer = from.layer; layer <= to.layer; ++layer) {
    const bool isLast = layer == to.layer, isFirst = layer == from.layer;
    if (isLast && !to.isBehindOwn) break;
    const std::string block = blockPrefix(site, layer);
    if (!isFirst || !from.isBehindOwn) norms.push_back(block + "ln_1");
    if (isLast) break;
    if (config.isEncoderDecoder() && site != AttentionSite::Encoder) norms.push_back(block + "ln_cross_attn");
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

namespace {

// Columns of the fused weights of an attention, or of the matrix that changes nothing, where it does without.
struct ReadColumns {
  std::string matrix;  // "c_attn"; empty: the stream itself
  int first = 0, count = 0;
};
struct HeadColumns {
  ReadColumns query, key, value;
};

// x · x compares the stream itself, U x · U x both by one matrix; read out by one matrix, or none, values are
// as wide as the stream.
HeadColumns columnsOf(const ModelConfig& config, HeadId head) {
  const bool across = head.site == AttentionSite::Cross;
  const int K = config.headWidth(), D = config.width, shared = head.head * config.valueHeads() / config.heads;
  const AttentionColumns columns = across ? crossAttentionColumns(config) : selfAttentionColumns(config);
  const int keys = across ? 0 : columns.query, values = keys + columns.key;
  HeadColumns own{{across ? "q_attn" : "c_attn", head.head * K, K},
                  {"c_attn", keys + shared * K, K},
                  {"c_attn", values + shared * K, K}};
  if (columns.query == 0) own.query.matrix = "";
  if (!across && config.kernel == AttentionKernel::Distance) own.query = {};  // it compares nothing
  if (columns.key == 0) own.key = own.query;
  if (config.readout == Readout::OneMatrix) own.value = {"c_attn", values + shared * D, D};
  if (config.readout == Readout::Rows) own.value = {"", 0, D};
  return own;
}

}  // namespace

HeadMatrices matricesOf(const Transformer& model, HeadId head) {
  const ModelConfig& config = model.config();
  const int K = config.headWidth(), D = config.width;
  const std::string weights = attentionWeights(head.layer, head.site);
  const auto weightsOf = [&](const ReadColumns& read) -> HeadMatrix {
    if (read.matrix.empty()) return HeadMatrix::Identity(D, D).middleCols(read.first, read.count);
    return mappedWeights(model.parameters()[weights + read.matrix + ".weight"])
        .middleCols(read.first, read.count)
        .cast<double>();
  };
  const auto reading = [&](const ReadColumns& read, bool behindNorm) {
    return behindNorm ? readingBehind(model, normOf(head), weightsOf(read)) : weightsOf(read);
  };
  const auto biasOf = [&](const ReadColumns& read, bool behindNorm) -> Eigen::RowVectorXd {
    Eigen::RowVectorXd bias = Eigen::RowVectorXd::Zero(read.count);
    if (behindNorm && config.norm == NormKind::Layer)
      bias += rowOf(model.parameters()[normOf(head) + ".bias"]) * weightsOf(read);
    if (config.biasesQueries() && !read.matrix.empty())
      bias += rowOf(model.parameters()[weights + read.matrix + ".bias"]).segment(read.first, read.count);
    return bias;
  };
  const HeadColumns columns = columnsOf(config, head);
  const bool asksBehind = readsBehindNorm(config),
             looksBehind = asksBehind && head.site != AttentionSite::Cross;
  HeadMatrix o = HeadMatrix::Identity(D, D);
  if (!config.headsOutputFullWidth())
    o = mappedWeights(model.parameters()[weights + "c_proj.weight"])
            .middleRows(head.head * K, K)
            .cast<double>();
  HeadMatrices own{reading(columns.query, asksBehind),  reading(columns.key, looksBehind),
                   reading(columns.value, looksBehind), std::move(o),
                   biasOf(columns.query, asksBehind),   biasOf(columns.key, looksBehind)};
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
  if (head.site != AttentionSite::Cross) return tokensAlone(model, head, tokens);
  return embeddedAlone(model, AttentionSite::Encoder, endOf(model.config(), AttentionSite::Encoder), tokens);
}

bool hasNormedQueries(const ModelConfig& config, AttentionSite site) {
  return hasNormedQueries(config) && site != AttentionSite::Cross;
}

namespace {

// φ(x) = elu(x) + 1, as linear attention compares queries and keys.
HeadMatrix eluPlusOne(const HeadMatrix& rows) {
  return rows.unaryExpr([](double x) { return x > 0 ? x + 1 : std::exp(x); });
}

}  // namespace

HeadMatrix queriesOf(const Transformer& model, HeadId head, const HeadMatrices& own, const HeadMatrix& rows) {
  HeadMatrix queries = (rows * own.q).rowwise() + own.queryBias;
  const bool isLinear = model.config().kernel == AttentionKernel::Linear;
  if (!hasNormedQueries(model.config(), head.site) && !isLinear) return queries;
  const auto scale = static_cast<double>(model.config().ofLayer(head.layer).scoreScale());
  queries /= scale;
  if (hasNormedQueries(model.config(), head.site))
    queries = normalizedInHead(model, head, "q_norm", std::move(queries));
  return isLinear ? eluPlusOne(queries) : queries * scale;
}

HeadMatrix keysOf(const Transformer& model, HeadId head, const HeadMatrices& own, const HeadMatrix& rows) {
  HeadMatrix keys = (rows * own.k).rowwise() + own.keyBias;
  if (hasNormedQueries(model.config(), head.site))
    keys = normalizedInHead(model, head, "k_norm", std::move(keys));
  return model.config().kernel == AttentionKernel::Linear ? eluPlusOne(keys) : keys;
}

StreamPlace endOf(const ModelConfig& config, AttentionSite site) { return {blocksAt(config, site), false}; }

HeadMatrix writtenFor(const Transformer& model, HeadId head, StreamPlace to, const HeadMatrix& o) {
  const ModelConfig& config = model.config();
  std::vector<std::string> norms = normsOfStream(config, head.site, placeOf(head), to);
  // A norm before its sublayer is not met by what that sublayer adds; one behind it is the only one.
  if (config.normPlacement == NormPlacement::Residual && !norms.empty()) norms.erase(norms.begin());
  if (config.hasSandwichNorm()) norms = {normOf(head) + "_post"};
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
