#include "core/model/attention.h"

#include <limits>

#include "core/model/positional/positional_encoding.h"
#include "core/tensor/operations/attention.h"
#include "core/tensor/operations/distance_shares.h"
#include "core/tensor/operations/linear.h"
#include "core/tensor/operations/normalization.h"
#include "core/tensor/operations/soft_cap.h"

namespace glassformer {
namespace {

constexpr float minusInfinity = -std::numeric_limits<float>::infinity();

// Queries and keys, turned by their positions where the encoding does so.
void rotate(Pass& pass, const ModelConfig& config, QueriesKeysValues& qkv) {
  const Value q = config.positions->rotate(pass.tape(), config, qkv.q);
  if (q.id == qkv.q.id) return;
  const Value k = config.positions->rotate(pass.tape(), config, qkv.k);
  const int K = config.headWidth();
  qkv.q = pass.point(qkv.name() + "hook_rot_q", q, q.width / K);  // [T, H, K]
  qkv.k = pass.point(qkv.name() + "hook_rot_k", k, k.width / K);  // [S, H, K]
}

// φ(q) and φ(k), which linear attention compares in place of q and k; φ = elu + 1.
void toFeatures(Pass& pass, const ModelConfig& config, QueriesKeysValues& qkv) {
  if (config.kernel != AttentionKernel::Linear) return;
  const Value q = activate(pass.tape(), qkv.q, Nonlinearity::EluPlusOne);
  const Value k = activate(pass.tape(), qkv.k, Nonlinearity::EluPlusOne);
  const int K = config.headWidth();
  qkv.q = pass.point(qkv.name() + "hook_q_features", q, q.width / K);  // [T, H, K]
  qkv.k = pass.point(qkv.name() + "hook_k_features", k, k.width / K);  // [S, H', K]
}

// γ ⊙ q / √(mean(q²) + ε) in every head, so that no score outgrows √K.
Value normalizedHeads(Pass& pass, const ModelConfig& config, const std::string& name,
                      const std::string& weights, const Value& x) {
  const Weight gamma = pass.weight(weights + name + ".weight");
  return pass.point("attn." + name + ".hook_normalized",
                    rmsNorm(pass.tape(), x, gamma, config.normEpsilon).value, x.width / gamma.columns);
}

QueriesKeysValues selfQueriesKeysValues(Pass& pass, const ModelConfig& config, const std::string& weights,
                                        const Value& x) {
  Tape& tape = pass.tape();
  const int K = config.headWidth();
  const AttentionColumns columns = selfAttentionColumns(config);
  const Value fused = columns.all() == 0 ? Value{}
                                         : linear(tape, x, pass.weight(weights + "c_attn.weight"),
                                                  pass.bias(weights + "c_attn.bias"));

  QueriesKeysValues qkv;
  if (config.kernel != AttentionKernel::Distance) {
    // What queries and keys have in common is copied for both, so that either is changed by itself.
    const bool common = columns.key == 0;
    const Value u = config.similarity == Similarity::Plain ? x : tape.columns(fused, 0, columns.query);
    const Value q = common ? copy(tape, u) : u;
    const Value k = common ? copy(tape, u) : tape.columns(fused, columns.query, columns.key);
    qkv.q = pass.point("attn.hook_q", q, q.width / K);  // [T, H, K]
    qkv.k = pass.point("attn.hook_k", k, k.width / K);  // [S, H', K]
    if (hasNormedQueries(config)) {
      qkv.q = normalizedHeads(pass, config, "q_norm", weights, qkv.q);
      qkv.k = normalizedHeads(pass, config, "k_norm", weights, qkv.k);
    }
    rotate(pass, config, qkv);
    toFeatures(pass, config, qkv);
  }
  const Value v =
      columns.value > 0 ? tape.columns(fused, columns.query + columns.key, columns.value) : copy(tape, x);
  qkv.v = pass.point("attn.hook_v", v, config.readHeads());  // [S, H', K]
  return qkv;
}

QueriesKeysValues crossQueriesKeysValues(Pass& pass, const ModelConfig& config, const std::string& weights,
                                         const Value& x, const Value& memory) {
  Tape& tape = pass.tape();
  const int H = config.valueHeads();
  const AttentionColumns columns = crossAttentionColumns(config);
  const Value q = linear(tape, x, pass.weight(weights + "q_attn.weight"), pass.bias(weights + "q_attn.bias"));
  const Value kv =
      linear(tape, memory, pass.weight(weights + "c_attn.weight"), pass.bias(weights + "c_attn.bias"));
  QueriesKeysValues qkv;
  qkv.across = true;
  qkv.q = pass.point("cross_attn.hook_q", q, config.heads);                      // [T, H, K]
  qkv.k = pass.point("cross_attn.hook_k", tape.columns(kv, 0, columns.key), H);  // [S, H', K]
  toFeatures(pass, config, qkv);
  const Value v = columns.value > 0 ? tape.columns(kv, columns.key, columns.value) : copy(tape, memory);
  qkv.v = pass.point("cross_attn.hook_v", v, config.readHeads());  // [S, H', K]
  return qkv;
}

// q · kᵀ / √K + bias, or the bias alone, or φ(q) · φ(k)ᵀ.
Value uncappedScores(Pass& pass, const ModelConfig& config, const std::string& weights,
                     const QueriesKeysValues& qkv, bool triangular) {
  Tape& tape = pass.tape();
  if (config.kernel == AttentionKernel::Linear)
    return scaledScores(tape, qkv.q, qkv.k, config.heads, 1, triangular, 0);
  const Value scores =
      qkv.q.data
          ? scaledScores(tape, qkv.q, qkv.k, config.heads, config.scoreScale(), triangular, minusInfinity)
          : distanceScores(tape, qkv.v, pass.weight(weights + "distance"), triangular);
  return qkv.across ? scores : config.positions->bias(pass, config, weights, qkv.q, scores);
}

// c tanh(s / c), where scores are capped.
Value scoresOf(Pass& pass, const ModelConfig& config, const std::string& weights,
               const QueriesKeysValues& qkv, bool triangular) {
  const Value scores = uncappedScores(pass, config, weights, qkv, triangular);
  return config.scoreCap > 0 ? softCap(pass.tape(), scores, config.scoreCap, minusInfinity) : scores;
}

// softmax(mask(cap(q · kᵀ / √K + bias))); with other choices the mask comes afterwards, the largest score is
// taken alone, or positive scores are shares of their row as they are (linear attention, Katharopoulos et al.
// 2020; written with the whole matrix, so that it can be looked at).
Value patternOf(Pass& pass, const ModelConfig& config, const std::string& weights, const AttentionMask& mask,
                const QueriesKeysValues& qkv) {
  Tape& tape = pass.tape();
  const bool isLinear = config.kernel == AttentionKernel::Linear;
  const bool before = isLinear || config.maskTime == MaskTime::BeforeSoftmax || mask.seesAll();
  const bool isConvolution = config.zeroPadded && !qkv.q.data;
  const bool triangular = !qkv.across && before && !mask.looksAhead();

  Value scores = scoresOf(pass, config, weights, qkv, triangular);
  if (before) scores = maskScores(tape, scores, mask, isLinear ? 0 : minusInfinity);
  scores = pass.point(qkv.name() + "hook_attn_scores", scores);  // [H, T, S]
  if (isLinear) return maskAndRenormalize(tape, scores, mask);
  if (isConvolution) return distanceShares(tape, scores, pass.weight(weights + "distance"), mask);
  const Value pattern = config.kernel == AttentionKernel::HardArgmax ? hardArgmax(tape, scores)
                                                                     : softmax(tape, scores, pass.trains());
  if (before) return pattern;
  return maskAndRenormalize(tape, pass.point(qkv.name() + "hook_unmasked_pattern", pattern), mask);
}

Value attend(Pass& pass, const ModelConfig& config, const std::string& weights, const AttentionMask& mask,
             const QueriesKeysValues& qkv) {
  Tape& tape = pass.tape();
  const Value pattern =
      pass.point(qkv.name() + "hook_pattern", patternOf(pass, config, weights, mask, qkv));  // [H, T, S]
  const Value sum = weightedSum(tape, pattern, qkv.v, config.readHeads());
  const Value z = pass.point(qkv.name() + "hook_z", sum, config.heads);  // [T, H, K]
  if (config.headsOutputFullWidth())
    return sumOfHeads(tape, z, config.heads, 'h', pass.bias(weights + "c_proj.bias"));
  return linear(tape, z, pass.weight(weights + "c_proj.weight"), pass.bias(weights + "c_proj.bias"));
}

}  // namespace

Value unmaskedScores(Pass& pass, const ModelConfig& config, const std::string& weights,
                     const QueriesKeysValues& qkv) {
  return scoresOf(pass, config, weights, qkv, false);
}

Value selfAttention(Pass& pass, const ModelConfig& config, const std::string& weights,
                    const AttentionMask& mask, const Value& x) {
  const QueriesKeysValues qkv = selfQueriesKeysValues(pass, config, weights, x);
  return attend(pass, config, weights, mask, qkv);
}

Value crossAttention(Pass& pass, const ModelConfig& config, const std::string& weights, const Value& x,
                     const Value& memory) {
  const QueriesKeysValues qkv = crossQueriesKeysValues(pass, config, weights, x, memory);
  return attend(pass, config, weights, {MaskKind::None, 0, {}}, qkv);
}

}  // namespace glassformer
