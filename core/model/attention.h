#pragma once
#include "core/model/pass.h"

namespace glassformer {

/// Multi-head self-attention (Vaswani et al. 2017, section 3.2): every row of x [R, D] attends to the rows
/// that the mask allows. Returns [R, D].
Value selfAttention(Pass& pass, const ModelConfig& config, const std::string& weights,
                    const AttentionMask& mask, const Value& x);

/// Multi-head attention from a text's rows x [R, D] to the rows of the source's memory [R', D], all of which
/// they see. Returns [R, D].
Value crossAttention(Pass& pass, const ModelConfig& config, const std::string& weights, const Value& x,
                     const Value& memory);

}  // namespace glassformer
