#pragma once
#include <string>

#include "core/model/pass.h"

namespace glassformer {

/// A convolution over x [R, D] with J taps: every token sees itself and the J − 1 before it (van den Oord et
/// al. 2016), or, where nothing is masked, as many on either side; outside of the text x is 0. With the
/// a = tapsAhead() of the config and u_j[t] = u[t + a − j],
///   full:        y = Σ_j (x · W_j)_j + b,
///   depthwise:   y = Σ_j (x ⊙ f_j)_j + b, one filter per channel (Liu et al. 2022, ConvNeXt),
///   bottleneck:  y = relu(Σ_j (relu(x · W_↓ + b_↓) · W_j)_j + b) · W_↑ + b_↑, with B = D / 4 channels inside
///                (He et al. 2015, ResNet; its batch norms are no part of it: what the config normalizes,
///                it normalizes around it).
/// Returns [R, D].
Value convolution(Pass& pass, const ModelConfig& config, const std::string& weights, const Value& x);

}  // namespace glassformer
