#pragma once
#include "core/lens/head_id.h"
#include "core/model/transformer.h"
#include "core/trace/trace.h"

namespace glassformer {

/// Attention by distance as the convolution that it is, or that it is but for the border of the text.
namespace filter {
inline constexpr const char *behind = "lens.filter",  ///< [X]: the weight of the token so far before
    *ahead = "lens.filter_ahead",                     ///< [X]: and of the one so far behind, where it is seen
        *convolved = "lens.convolved",  ///< [T, K]: what a convolution of the values with these weights gives
            *error = "lens.convolution_error";  ///< [T, K]: what the head hands on, less that
}  // namespace filter

/// Why a head has no filter; empty: it has one.
std::string whyNoFilter(const ModelConfig& config, AttentionSite site);
/// Adds these for a head, "lens.filter.L0H1".
void measureFilter(const Transformer& model, const Trace& trace, HeadId head, TensorSet& set);

}  // namespace glassformer
