#pragma once
#include <string>

#include "core/lens/head_id.h"
#include "core/model/transformer.h"
#include "core/tensor/tape.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"

namespace glassformer {

/// Linear attention as a recurrence (Katharopoulos et al. 2020, eq. 18-20): under the causal mask a head
/// keeps one matrix and one vector, to which every token adds,
///   S_t = S_{t−1} + φ(k_t) v_tᵀ,   z_t = z_{t−1} + φ(k_t),   φ(x) = elu(x) + 1,
/// and reads out = φ(q_t)ᵀ S_t / φ(q_t)ᵀ z_t. The pass writes down the whole pattern instead, so that it can
/// be looked at; both give the same, to rounding. Each is a tensor of its own for a head,
/// "lens.linear_state.L2H0"; rows of S count the numbers of a key, columns those of a value.
namespace linearState {
inline constexpr const char *state = "lens.linear_state",  ///< [T, K, K]: S
    *sum = "lens.linear_sum",                              ///< [T, K]: z
        *size = "lens.linear_size",                        ///< [T]: ‖S_t‖
            *share = "lens.linear_share",                  ///< [T]: φ(q)ᵀ z
                *read = "lens.linear_read",                ///< [T, K]: φ(q)ᵀ S
                    *out = "lens.linear_out",              ///< [T, K]: what is read, divided by the share
                        *error = "lens.linear_error";      ///< [T]: the largest |out − what the pass has|
}  // namespace linearState

/// Why a head has no such state; empty where it has one.
std::string whyNoLinearState(const ModelConfig& config, AttentionSite site);

/// Adds these for a head, each but the norms with what made its numbers. The config must allow it.
void measureLinearState(const ModelConfig& config, const Trace& trace, HeadId head, TensorSet& set);

/// φ(q)ᵀ S / φ(q)ᵀ z of all heads, [T, H·K] of the features φ(q) and φ(k) and the values v, each [T, H·K]:
/// token after token, with nothing kept but S and z, as linear attention is computed where nobody looks at a
/// pattern. Of one sequence, which is run from its first token; there is no gradient.
Value readOutOfState(Tape& tape, const Value& queries, const Value& keys, const Value& v, int heads);

}  // namespace glassformer
