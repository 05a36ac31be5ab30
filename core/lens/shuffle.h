#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/transformer.h"
#include "core/trace/interventions.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"

namespace glassformer {

/// What becomes of a text's final vectors when its tokens change places, each token compared with itself:
///   Δ_t = x′[place of t] − x[t], x what the last block leaves in the residual stream.
/// Attention without a mask treats its keys as a set, and everything else treats every token alone: without
/// positions Δ is 0, to rounding (Vaswani et al. 2017, section 3.5; Lee et al. 2019).
namespace shuffle {
inline constexpr const char *order = "lens.shuffle_order",  ///< [T]: which token stands at each place
    *place = "lens.shuffle_place",                          ///< [T]: where each token stands
        *vectors = "lens.shuffle_difference",               ///< [T, D]: Δ
            *norms = "lens.shuffle_norm",                   ///< [T]: ‖Δ_t‖
                *lengths = "lens.shuffle_length",           ///< [T]: ‖x_t‖
                    *total = "lens.shuffle_total";  ///< [Z]: √Σ ‖Δ_t‖², and √Σ ‖x_t‖²
}  // namespace shuffle

/// The numbers 0 to count − 1 with all but the first `before` and the last `behind` in another order, which
/// the seed says.
std::vector<int> shuffledOrder(int count, int before, int behind, std::uint64_t seed);

/// Adds these for the text of a trace in that order. `interventions` are those that the trace went through;
/// what they do at a position they do at the same position again.
void measureShuffle(const Transformer& model, const Trace& trace, const Interventions& interventions,
                    const std::vector<int>& order, TensorSet& set);

/// What in a config tells the places of a text apart: "learned positions", "the causal mask". Empty: nothing.
std::vector<std::string> whatTellsPlaces(const ModelConfig& config);

}  // namespace glassformer
