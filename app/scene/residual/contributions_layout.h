#pragma once
#include "app/scene/residual/residual_view.h"

namespace glassformer {

/// What the embeddings, every head, bias and MLP contribute to each token's final state or to a logit.
void drawContributionsLayout(ResidualView& view, Box area);

}  // namespace glassformer
