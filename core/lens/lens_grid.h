#pragma once
#include "core/model/transformer.h"
#include "core/trace/tensor_set.h"
#include "core/trace/trace.h"
#include "core/watch.h"

namespace glassformer {

/// The logit lens (see logit_lens.h) at every place [P] and token [T]: what the model would say, were it to
/// stop there, and what of that the sublayer before has made: which token's probability it raises most, and
/// which it lowers most. At the embedding no sublayer came before: NaN, and -1 for its tokens. The last place
/// is what the model says.
namespace lens_grid {
inline constexpr const char *token = "lens.grid_token", *probability = "lens.grid_probability",
                            *promoted = "lens.grid_promoted",        ///< the token that is raised
                                *promotion = "lens.grid_promotion",  ///< by how much
                                    *suppressed = "lens.grid_suppressed",
                            *suppression = "lens.grid_suppression";
}  // namespace lens_grid

/// Adds these, which borrow the model and the pass. Stopped by the watch it adds nothing.
void measureLensGrid(const Transformer& model, const Trace& trace, TensorSet& measurements,
                     const ProgressCallback& watch = noProgress);

}  // namespace glassformer
