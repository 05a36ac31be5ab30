#pragma once
#include "app/views/residual/residual_view.h"

namespace glassformer {

/// Contributions are of the text's stream alone.
struct ContributionsView : ResidualView {
  explicit ContributionsView(const SceneInput& sceneInput) : ResidualView(sceneInput, Stream::Text) {}
};

/// What the embeddings, every head, bias and MLP contribute to each token's final state or to a logit.
void drawContributionsPicture(ContributionsView& view, Box area);

}  // namespace glassformer
