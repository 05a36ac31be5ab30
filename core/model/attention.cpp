#include "core/model/attention.h"

#include <cmath>
#include <limits>

#include "core/model/positional/positional_encoding.h"
#include "core/tensor/operations/attention.h"
#include "core/tensor/operations/linear.h"

namespace glassformer {
namespace {

constexpr float minusInfinity = -std::numeric_limits<float>::infinity();

// What is compared with what, and what is handed on.
struct QueriesKeysValues {
  Value q, k, v;     // [T, H·K], [S, H'·K], [S, H'·K]; distance-only attention has neither q nor k
  std::string name;  // "attn." or "cross_attn."
};

// Queries and keys, turned by their positions where the encoding does so.
void rotate(Pass& pass, const ModelConfig& config, QueriesKeysValues& qkv) {
  const Value q = config.positions->rotate(pass.tape(), config, qkv.q);
  if (q.id == qkv.q.id) return;
  const Value k = config.positions->rotate(pass.tape(), config, qkv.k);
  const int K = config.headWidth();
  qkv.q = pass.point(qkv.name + "hook_rot_q", q, q.width / K);  // [T, H, K]
  qkv.k = pass.point(qkv.name + "hook_rot_k", k, k.width / K);  // [S, H, K]
}

QueriesKeysValues selfQueriesKeysValues(Pass& pass, const ModelConfig& config, const std::string& weights,
                                        const Value& x) {
  Tape& tape = pass.tape();
  const int K = config.headWidth();
  const AttentionColumns columns = selfAttentionColumns(config);
  const Value fused =
      linear(tape, x, pass.weight(weights + "c_attn.weight"), pass.weight(weights + "c_attn.bias"));

  QueriesKeysValues qkv{{}, {}, {}, "attn."};
  if (config.kernel != AttentionKernel::Distance) {
    const bool plain = config.similarity == Similarity::Plain;
    const Value u = plain ? copy(tape, x) : tape.columns(fused, 0, columns.query);
    const Value k = columns.key > 0 ? tape.columns(fused, columns.query, columns.key) : copy(tape, u);
    qkv.q = pass.point("attn.hook_q", u, u.width / K);  // [T, H, K]
    qkv.k = pass.point("attn.hook_k", k, k.width / K);  // [S, H', K]
    rotate(pass, config, qkv);
  }
  qkv.v = pass.point("attn.hook_v", tape.columns(fused, columns.query + columns.key, columns.value),
                     config.valueHeads());  // [S, H', K]
  return qkv;
}

QueriesKeysValues crossQueriesKeysValues(Pass& pass, const ModelConfig& config, const std::string& weights,
                                         const Value& x, const Value& memory) {
  Tape& tape = pass.tape();
  const int H = config.valueHeads();
  const AttentionColumns columns = crossAttentionColumns(config);
  const Value q =
      linear(tape, x, pass.weight(weights + "q_attn.weight"), pass.weight(weights + "q_attn.bias"));
  const Value kv =
      linear(tape, memory, pass.weight(weights + "c_attn.weight"), pass.weight(weights + "c_attn.bias"));
  return {pass.point("cross_attn.hook_q", q, config.heads),                                  // [T, H, K]
          pass.point("cross_attn.hook_k", tape.columns(kv, 0, columns.key), H),              // [S, H', K]
          pass.point("cross_attn.hook_v", tape.columns(kv, columns.key, columns.value), H),  // [S, H', K]
          "cross_attn."};
}

// φ(q) · φ(k), as shares of the row (Katharopoulos et al. 2020). Written with the whole matrix, so that it
// can be looked at; the sum over keys could as well be kept as a running state.
Value linearPattern(Pass& pass, const ModelConfig& config, const AttentionMask& mask,
                    const QueriesKeysValues& qkv) {
  Tape& tape = pass.tape();
  const Value q = activate(tape, qkv.q, Nonlinearity::EluPlusOne),
              k = activate(tape, qkv.k, Nonlinearity::EluPlusOne);
  const bool triangular = qkv.q.stream == qkv.k.stream && !mask.looksAhead();
  const Value products = maskScores(tape, scaledScores(tape, q, k, config.heads, 1, triangular, 0), mask, 0);
  const Value scores = pass.point(qkv.name + "hook_attn_scores", products);  // [H, T, S]
  return maskAndRenormalize(tape, scores, mask);
}

// softmax(mask(scale(q · kᵀ) + bias)), or the mask afterwards, or the largest score alone.
Value softmaxPattern(Pass& pass, const ModelConfig& config, const std::string& weights,
                     const AttentionMask& mask, const QueriesKeysValues& qkv) {
  Tape& tape = pass.tape();
  const bool self = qkv.v.stream == qkv.q.stream || !qkv.q.data,
             before = config.maskTime == MaskTime::BeforeSoftmax;
  const bool triangular = self && before && !mask.looksAhead();
  const float scale = config.scaledScores ? 1 / std::sqrt(static_cast<float>(config.headWidth())) : 1;

  Value scores = qkv.q.data ? scaledScores(tape, qkv.q, qkv.k, config.heads, scale, triangular, minusInfinity)
                            : distanceScores(tape, qkv.v, pass.weight(weights + "distance"), triangular);
  if (self) scores = config.positions->bias(pass, config, weights, qkv.q, scores);
  if (before) scores = maskScores(tape, scores, mask, minusInfinity);
  scores = pass.point(qkv.name + "hook_attn_scores", scores);  // [H, T, S]
  const Value pattern =
      config.kernel == AttentionKernel::HardArgmax ? hardArgmax(tape, scores) : softmax(tape, scores);
  return before ? pattern : maskAndRenormalize(tape, pattern, mask);
}

Value attend(Pass& pass, const ModelConfig& config, const std::string& weights, const AttentionMask& mask,
             const QueriesKeysValues& qkv) {
  Tape& tape = pass.tape();
  const Value pattern = pass.point(qkv.name + "hook_pattern",
                                   config.kernel == AttentionKernel::Linear
                                       ? linearPattern(pass, config, mask, qkv)
                                       : softmaxPattern(pass, config, weights, mask, qkv));  // [H, T, S]
  const Value z = pass.point(qkv.name + "hook_z", weightedSum(tape, pattern, qkv.v, config.valueHeads()),
                             config.heads);  // [T, H, K]
  if (config.readout == Readout::OneMatrix)
    return sumOfHeads(tape, z, config.heads, pass.weight(weights + "c_proj.bias"));
  return linear(tape, z, pass.weight(weights + "c_proj.weight"), pass.weight(weights + "c_proj.bias"));
}

}  // namespace

Value selfAttention(Pass& pass, const ModelConfig& config, const std::string& weights,
                    const AttentionMask& mask, const Value& x) {
  const QueriesKeysValues qkv = selfQueriesKeysValues(pass, config, weights, x);
  return pass.point("hook_attn_out", attend(pass, config, weights, mask, qkv));
}

Value crossAttention(Pass& pass, const ModelConfig& config, const std::string& weights, const Value& x,
                     const Value& memory) {
  const QueriesKeysValues qkv = crossQueriesKeysValues(pass, config, weights, x, memory);
  return pass.point("hook_cross_attn_out", attend(pass, config, weights, {MaskKind::None, 0, {}}, qkv));
}

}  // namespace glassformer
