#pragma once
#include "core/model/pass.h"

namespace glassformer {

/// What is compared with what, and what is handed on.
struct QueriesKeysValues {
  Value q, k, v;        ///< [T, H·K], [S, H'·K], [S, H'·K]; distance-only attention has neither q nor k
  bool across = false;  ///< to the source

  std::string name() const { return across ? "cross_attn." : "attn."; }
};

/// The scores [H, T, S] before any mask, of queries and keys that are turned already where they are turned:
/// the same that attention goes on from. Distance-only attention asks `v` for its rows alone.
Value unmaskedScores(Pass& pass, const ModelConfig& config, const std::string& weights,
                     const QueriesKeysValues& qkv);

/// Multi-head self-attention (Vaswani et al. 2017, section 3.2): every row of x [R, D] attends to the rows
/// that the mask allows. Returns [R, D].
Value selfAttention(Pass& pass, const ModelConfig& config, const std::string& weights,
                    const AttentionMask& mask, const Value& x);

/// Multi-head attention from a text's rows x [R, D] to the rows of the source's memory [R', D], all of which
/// they see. Returns [R, D].
Value crossAttention(Pass& pass, const ModelConfig& config, const std::string& weights, const Value& x,
                     const Value& memory);

}  // namespace glassformer
