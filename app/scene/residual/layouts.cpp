#include "app/scene/residual/layouts.h"

#include "app/scene/residual/contributions_layout.h"
#include "app/scene/residual/cosine_layout.h"
#include "app/scene/residual/norms_layout.h"
#include "app/scene/residual/scales_layout.h"

namespace glassformer {

std::span<const ResidualLayoutEntry> residualLayouts() {
  static constexpr ResidualLayoutEntry table[] = {
      {ResidualLayout::Norms, "Norms", "how long each token's vector is, and what each block adds",
       drawNormsLayout},
      {ResidualLayout::Cosine, "Cosine", "in which direction the states point: cosines between layers",
       drawCosineLayout},
      {ResidualLayout::Contributions, "Contributions",
       "what each head and MLP adds to the final state, or to a logit", drawContributionsLayout},
      {ResidualLayout::Scales, "Norm scale", "how much each layer norm stretches each token: 1 / σ",
       drawScalesLayout},
  };
  return table;
}

}  // namespace glassformer
