#include "core/lens/head_circuits.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/lens/equation_words.h"
#include "core/lens/head_matrices.h"

namespace glassformer {
namespace {

// In doubles: of two products the sizes are compared, and of a square the root is taken.
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Matrix lessMeanRow(Matrix rows) {
  const Eigen::RowVectorXd mean = rows.colwise().mean();
  rows.rowwise() -= mean;
  return rows;
}

// AᵀA
Matrix gram(const Matrix& a) { return a.transpose() * a; }

// Of A Bᵀ, the largest first: their squares are the eigenvalues of S (BᵀB) S, where S² = AᵀA.
Vector singularValues(const Matrix& a, const Matrix& b) {
  using Symmetric = Eigen::SelfAdjointEigenSolver<Matrix>;
  const Symmetric own(gram(a));  // whose least eigenvalue may be rounded below 0
  const Matrix root = own.eigenvectors() * own.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal() *
                      own.eigenvectors().transpose(),
               inner = root * gram(b), product = inner * root;
  return Symmetric(product).eigenvalues().reverse().cwiseMax(0).cwiseSqrt();
}

// ‖A M Bᵀ‖_F, by tr(M (BᵀB) Mᵀ (AᵀA)).
double sizeOf(const Matrix& a, const Matrix& m, const Matrix& b) {
  const Matrix inner = m * gram(b), outer = gram(a) * m;
  return std::sqrt(std::max(0.0, inner.cwiseProduct(outer).sum()));
}
double sizeOf(const Matrix& a, const Matrix& b) { return sizeOf(a, Matrix::Identity(a.cols(), a.cols()), b); }

// ‖V O · A Bᵀ‖ / (‖V O‖ ‖A Bᵀ‖): of what a head writes, V O as it arrives, how much another one's matrix
// reads.
float composed(const Matrix& v, const Matrix& o, const Matrix& reading, const Matrix& other) {
  const double apart = sizeOf(v, o.transpose()) * sizeOf(reading, other);
  const Matrix between = o * reading;
  return apart > 0 ? static_cast<float>(sizeOf(v, between, other) / apart)
                   : std::numeric_limits<float>::quiet_NaN();
}

// Σ λ / Σ |λ| of the eigenvalues of A Bᵀ, which are those of Bᵀ A: 1 where all are positive, such as of a
// matrix that scores every token highest with itself.
float positivity(const Matrix& a, const Matrix& b) {
  const Matrix product = b.transpose() * a;
  const Eigen::VectorXcd values = product.eigenvalues();
  const double all = values.cwiseAbs().sum();
  return all > 0 ? static_cast<float>(values.real().sum() / all) : std::numeric_limits<float>::quiet_NaN();
}

// (u_b − mean u) W_Oᵀ, one row for each token of the vocabulary, with W_O as it arrives there. A block of
// tokens at a time, as all of them may be many.
Matrix effectsOnLogits(const Transformer& model, HeadId head, const Matrix& o) {
  const ModelConfig& config = model.config();
  const MappedWeights unembedding = mappedWeights(model.unembedding());
  const Matrix read = static_cast<double>(config.unembeddingScale()) *
                      writtenFor(model, head, endOf(config, head.site), o).transpose();  // [D, K]
  Matrix effects(unembedding.rows(), read.cols());
  constexpr Eigen::Index atOnce = 256;
  for (Eigen::Index first = 0; first < effects.rows(); first += atOnce) {
    const Eigen::Index count = std::min(atOnce, effects.rows() - first);
    const Matrix block = unembedding.middleRows(first, count).cast<double>();
    effects.middleRows(first, count) = block * read;
  }
  return lessMeanRow(std::move(effects));
}

// One token of a list and one of another, with their number.
struct TokenPairFound {
  int a = 0, b = 0;
  float number = 0;
};

// Of every row a of A Bᵀ the largest number (sign 1) or the least (−1), the strongest rows first; a block of
// rows at a time, as all of them may be many.
std::vector<TokenPairFound> strongestOfRows(const Matrix& a, const Matrix& b, int sign,
                                            const ProgressCallback& watch) {
  constexpr Eigen::Index atOnce = 256;
  std::vector<TokenPairFound> found;
  for (Eigen::Index first = 0; first < a.rows(); first += atOnce) {
    if (!watch(static_cast<int>(first), static_cast<int>(a.rows()))) return {};
    const Eigen::Index count = std::min(atOnce, a.rows() - first);
    const Matrix rows = sign * a.middleRows(first, count), block = rows * b.transpose();
    for (Eigen::Index i = 0; i < count; ++i) {
      Eigen::Index most = 0;
      const auto number = static_cast<float>(sign * block.row(i).maxCoeff(&most));
      found.push_back({static_cast<int>(first + i), static_cast<int>(most), number});
    }
  }
  std::ranges::stable_sort(found, std::greater<>(), [&](const TokenPairFound& pair) {
    return static_cast<float>(sign) * pair.number;
  });
  found.resize(std::min(found.size(), circuit::pairsKept));
  return found;
}

Tensor tensorOf(const Vector& values) {
  return Tensor({static_cast<int>(values.size())}, std::vector<float>(values.begin(), values.end()));
}
Tensor single(float value) { return Tensor({1}, {value}); }

struct PairNames {
  const char *a, *b, *number;
};
void addPairs(const std::vector<TokenPairFound>& pairs, std::span<const int> ofA, std::span<const int> ofB,
              const PairNames& names, const char* meaning, const std::string& equation, TensorSet& set) {
  const int count = static_cast<int>(pairs.size());
  Tensor a({count}), b({count}), number({count});
  for (int i = 0; i < count; ++i) {
    const TokenPairFound& pair = pairs[static_cast<std::size_t>(i)];
    a(i) = static_cast<float>(ofA[static_cast<std::size_t>(pair.a)]);
    b(i) = static_cast<float>(ofB[static_cast<std::size_t>(pair.b)]);
    number(i) = pair.number;
  }
  set.add({names.a, "Y", std::string("the first token of ") + meaning, ""}, std::move(a));
  set.add({names.b, "Y", std::string("the second token of ") + meaning, ""}, std::move(b));
  set.add({names.number, "Y", meaning, equation}, std::move(number));
}

// How much two heads have to do with each other, the one writing what the other reads.
struct ComposedBy {
  const char *name, *what, *equation;
  float (*share)(const HeadMatrices& writer, const Matrix& written, const HeadMatrices& reader);
};
constexpr ComposedBy composedBy[] = {
    {circuit::byQueries, "queries", "‖W_OV W_QK‖ / (‖W_OV‖ ‖W_QK‖)",
     [](const HeadMatrices& writer, const Matrix& written, const HeadMatrices& reader) {
       return composed(writer.v, written, reader.q, reader.k);
     }},
    {circuit::byKeys, "keys", "‖W_OV W_QKᵀ‖ / (‖W_OV‖ ‖W_QK‖)",
     [](const HeadMatrices& writer, const Matrix& written, const HeadMatrices& reader) {
       return composed(writer.v, written, reader.k, reader.q);
     }},
    {circuit::byValues, "values", "‖W_OV W_OV′‖ / (‖W_OV‖ ‖W_OV′‖)",
     [](const HeadMatrices& writer, const Matrix& written, const HeadMatrices& reader) {
       return composed(writer.v, written, reader.v, reader.o.transpose());
     }}};

// Where a head reads what others of a site write: across, keys and values at the encoder's end.
StreamPlace readingPlace(const ModelConfig& config, HeadId reader, AttentionSite of) {
  const bool isMemory = reader.site == AttentionSite::Cross && of == AttentionSite::Encoder;
  return isMemory ? endOf(config, of) : placeOf(reader);
}

float compositionOf(const Transformer& model, HeadId head, const HeadMatrices& own, HeadId another,
                    const ComposedBy& by) {
  const bool across = head.site == AttentionSite::Cross, isMemory = another.site == AttentionSite::Encoder;
  const bool reads = across ? isMemory || another.layer <= head.layer : another.layer < head.layer;
  if (!reads && (across || another.layer == head.layer)) return std::numeric_limits<float>::quiet_NaN();
  const HeadMatrices other = matricesOf(model, another);
  const HeadMatrices &writer = reads ? other : own, &reader = reads ? own : other;
  const StreamPlace place = readingPlace(model.config(), reads ? head : another, another.site);
  return by.share(writer, writtenFor(model, reads ? another : head, place, writer.o), reader);
}

void addComposition(const Transformer& model, HeadId head, const HeadMatrices& own, TensorSet& set) {
  const ModelConfig& config = model.config();
  const bool isCompared = whyNoComparingMatrix(config, head.site).empty();
  for (const ComposedBy& by : composedBy) {
    if (!isCompared && by.name != std::string_view(circuit::byValues)) continue;
    const AttentionSite site = composedSite(config, head.site, by.name);
    Tensor shares({blocksAt(config, site), config.heads});
    for (int layer = 0; layer < blocksAt(config, site); ++layer)
      for (int h = 0; h < config.heads; ++h)
        shares(layer, h) = compositionOf(model, head, own, {layer, h, site}, by);
    set.add(
        {by.name, "LH",
         std::string("share of the earlier head's output in the later head's ") + by.what + " read, by head",
         by.equation},
        std::move(shares));
  }
  set.add({circuit::byChance, "1", "the same share of two unrelated heads", "1 / √D"},
          single(1 / std::sqrt(static_cast<float>(config.width))));
}

// x · x compares without a matrix, U x · U x by one alone.
std::string comparingWords(const ModelConfig& config, AttentionSite site) {
  if (site == AttentionSite::Cross || config.similarity == Similarity::QueriesAndKeys) return "W_Q W_Kᵀ";
  return config.similarity == Similarity::Shared ? "U Uᵀ" : "I";
}

void addMatrices(const ModelConfig& config, HeadId head, const HeadMatrices& own, const AskedTokens& tokens,
                 TensorSet& set) {
  if (whyNoComparingMatrix(config, head.site).empty())
    set.add({circuit::qk, "K", "singular values of the QK matrix",
             comparingWords(config, head.site) + scaledWords(config, head.layer)},
            tensorOf(singularValues(own.q, own.k)));
  const char* const moving = config.readout == Readout::ValuesAndOutput ? "W_V W_O"
                             : config.readout == Readout::OneMatrix     ? "W_V"
                                                                        : "I";
  set.add({circuit::ov, "K", "singular values of the OV matrix", moving},
          tensorOf(singularValues(own.v, own.o.transpose())));
  const auto count = [](const std::vector<int>& asked) { return single(static_cast<float>(asked.size())); };
  set.add({circuit::asked, "1", "number of tokens measured", ""}, count(tokens.queries));
  if (head.site == AttentionSite::Cross)
    set.add({circuit::askedKeys, "1", "number of tokens of the source measured", ""}, count(tokens.keys));
}

void addReading(const ModelConfig& config, HeadId head, const Matrix& queries, const Matrix& keys,
                const AskedTokens& tokens, const std::vector<TokenPairFound>& scores, TensorSet& set) {
  if (head.site != AttentionSite::Cross)
    set.add(
        {circuit::matching, "1", "matching score, −1 to 1: every token matches itself most", "Σ λ / Σ |λ|"},
        single(positivity(queries, keys)));
  const bool isLinear = config.kernel == AttentionKernel::Linear;
  addPairs(
      scores, tokens.queries, tokens.keys, {circuit::query, circuit::key, circuit::score},
      config.scoreCap > 0 ? "a query and the key it scores highest, before the cap"
                          : "a query and the key it scores highest",
      isLinear ? "φ(q_a) · (φ(k_b) − mean φ(k))" : "q_a · (k_b − mean k)" + scaledWords(config, head.layer),
      set);
}

// What looking at a token does to logits. False where it was stopped.
bool addEffects(const Transformer& model, HeadId head, const HeadMatrices& own, const Matrix& values,
                std::span<const int> tokens, TensorSet& set, const ProgressCallback& watch) {
  const Matrix effects = effectsOnLogits(model, head, own.o);
  std::vector<int> vocabulary(static_cast<std::size_t>(effects.rows()));
  std::iota(vocabulary.begin(), vocabulary.end(), 0);
  Matrix ownEffects(values.rows(), effects.cols());
  for (std::size_t i = 0; i < tokens.size(); ++i)
    ownEffects.row(static_cast<Eigen::Index>(i)) = effects.row(tokens[i]);
  const auto promoted = strongestOfRows(values, effects, 1, partOf(watch, 1, 3)),
             suppressed = strongestOfRows(values, effects, -1, partOf(watch, 2, 3));
  if (!watch(1, 1)) return false;
  set.add({circuit::copying, "1", "copying score, −1 to 1: attending to a token raises its own logit",
           "Σ λ / Σ |λ|"},
          single(positivity(values, ownEffects)));
  addPairs(promoted, tokens, vocabulary, {circuit::promoting, circuit::promoted, circuit::promotion},
           "a token attended to, and the one whose logit rises most", "(v_a − mean v) W_O · (u_b − mean u)",
           set);
  addPairs(suppressed, tokens, vocabulary, {circuit::suppressing, circuit::suppressed, circuit::suppression},
           "a token attended to, and the one whose logit falls most", "(v_a − mean v) W_O · (u_b − mean u)",
           set);
  return true;
}

}  // namespace

std::string whyNoCircuits(const ModelConfig& config, AttentionSite) {
  if (!config.hasAttention()) return "this model has no attention";
  if (!config.residual)
    return "without residual connections a head reads the sublayer before it, not tokens or other heads";
  return "";
}

std::string whyNoScoresOfTokens(const ModelConfig& config, AttentionSite site) {
  return site != AttentionSite::Cross && config.kernel == AttentionKernel::Distance
             ? "Its scores depend on distance alone: it has no queries and keys."
             : "";
}

std::string whyNoComparingMatrix(const ModelConfig& config, AttentionSite site) {
  if (std::string why = whyNoScoresOfTokens(config, site); !why.empty()) return why;
  if (config.kernel == AttentionKernel::Linear)
    return "Its queries and keys go through φ = elu + 1 each: no one matrix compares them.";
  return hasNormedQueries(config, site) ? "Its queries and keys are normalized, each by a factor of its own: "
                                          "no one matrix compares them."
                                        : "";
}

AttentionSite composedSite(const ModelConfig& config, AttentionSite site, std::string_view by) {
  if (site != AttentionSite::Cross) return site;
  return by == circuit::byQueries ? ownSite(config) : AttentionSite::Encoder;
}

std::string whyNoEffectsOnLogits(const ModelConfig& config, AttentionSite site) {
  if (site == AttentionSite::Encoder)
    return "An encoder head adds to no logit: the decoder's heads read its output.";
  if (config.headTransform) return "A nonlinear layer stands between the residual stream and the logits.";
  return "";
}

void measureHeadCircuits(const Transformer& model, HeadId head, const AskedTokens& tokens, TensorSet& set,
                         const ProgressCallback& watch) {
  const ModelConfig& config = model.config();
  const HeadMatrices own = matricesOf(model, head);
  const Matrix looked = keysAlone(model, head, tokens.keys), values = lessMeanRow(looked * own.v);
  const bool compares = whyNoScoresOfTokens(config, head.site).empty();
  Matrix queries, keys;
  std::vector<TokenPairFound> scores;
  if (compares) {
    queries = queriesOf(model, head, own, tokensAlone(model, head, tokens.queries));
    keys = lessMeanRow(keysOf(model, head, own, looked));
    scores = strongestOfRows(queries, keys, 1, partOf(watch, 0, 3));
  }
  const bool hasEffects = whyNoEffectsOnLogits(config, head.site).empty();
  if (hasEffects ? !addEffects(model, head, own, values, tokens.keys, set, watch) : !watch(1, 1)) return;
  addMatrices(config, head, own, tokens, set);
  if (compares) addReading(config, head, queries, keys, tokens, scores, set);
  addComposition(model, head, own, set);
}

}  // namespace glassformer
