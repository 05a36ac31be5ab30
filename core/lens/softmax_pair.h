#pragma once
#include <array>

#include "core/lens/head_id.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"

namespace glassformer {

/// The softmax of two scores at a temperature τ, over both of them,
///   σ(x / τ)₁ = exp(x₁ / τ) / (exp(x₁ / τ) + exp(x₂ / τ)),
/// with what a row of a head has there: two of its keys. It depends on the difference of the scores alone, so
/// it is flat where both grow together, and a sigmoid where one does. At τ = 0 it is 1 where x₁ is largest,
/// else 0. Letters W and U count the steps of x₁ and of x₂ around the two scores; x₂ falls from row to row.
namespace softmaxPair {
inline constexpr const char *
    surface = "lens.softmax_surface",  ///< [U, W]
    *first = "lens.softmax_x1",
   *second = "lens.softmax_x2",                ///< [W], [U]: the same numbers
       *keys = "lens.softmax_keys",            ///< [3]: the query, and the two keys
           *point = "lens.softmax_point",      ///< [2]: the two scores, or where they were moved to
               *share = "lens.softmax_share",  ///< [2]: of these, that of the first and the second
                   *own = "lens.softmax_own",  ///< [2]: of the scores themselves
                       *ofRow =
                           "lens.softmax_of_row",  ///< [2]: the row's own weights of the two: a₁ / (a₁ + a₂)
                           *together = "lens.softmax_together",  ///< [1]: a₁ + a₂
                               *alone = "lens.softmax_alone",  ///< [W]: x₁ changes, x₂ is the key's score
                                   *shifted = "lens.softmax_shifted_x2",  ///< [W]: x₂ where both change alike
                                       *both = "lens.softmax_both";       ///< [W]: of x₁ and that
}  // namespace softmaxPair

/// Points along each axis of the surface.
inline constexpr int softmaxSteps = 33;

/// Two different keys to which a row of weights [S] gives something: those that are wished for, in place of
/// one that it does not, or of a second one that is the first, the strongest. −1: it has no such key.
std::array<int, 2> pairOfKeys(const TensorView& weights, int first, int second);

/// Adds these for one query of a head whose scores become shares by softmax. Where a key is −1 there is the
/// surface with its axes alone. `moved`: what is tried out, by how much the two scores are others, as far as
/// the axes go; what was computed stays.
void measureSoftmaxPair(const Trace& trace, HeadId head, int query, std::array<int, 2> keys,
                        float temperature, TensorSet& set, std::array<float, 2> moved = {});

}  // namespace glassformer
