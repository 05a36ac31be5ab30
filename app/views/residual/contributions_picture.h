#pragma once
#include "app/views/residual/residual_picture.h"

namespace glassformer {

/// Contributions are of the text's stream alone.
struct ContributionsPicture : ResidualPicture {
  explicit ContributionsPicture(const SceneInput& sceneInput) : ResidualPicture(sceneInput, Stream::Text) {}
};

/// What the embeddings, every head, bias and MLP contribute to each token's final state or to a logit.
void drawContributionsPicture(ContributionsPicture& picture, Box area);

}  // namespace glassformer
