#pragma once
#include "app/views/next_token/shown_chain.h"

namespace glassformer {

/// The largest probability of the bars: 1, or, where none is above one half, the largest that is shown.
Range barsOfSampling(const ShownChain& chain);

/// The stages that are off, folded to their names in lines at the top of the area, which they are taken off.
void addFoldedStages(Scene& scene, const SceneInput& input, const ShownChain& chain, Box& area);

/// The most probable tokens, row by row: by the model, before and after every stage that is on, and why one
/// is out. All bars have one scale.
void addSamplingTable(Scene& scene, const SceneInput& input, const ShownChain& chain, Box area);

}  // namespace glassformer
