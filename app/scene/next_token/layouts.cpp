#include "app/scene/next_token/layouts.h"

#include "app/scene/next_token/distribution_layout.h"
#include "app/scene/next_token/lens_layout.h"
#include "app/scene/next_token/text_layout.h"

namespace glassformer {

std::span<const NextTokenLayoutEntry> nextTokenLayouts() {
  static constexpr NextTokenLayoutEntry table[] = {
      {NextTokenLayout::Distribution, "Distribution", "what comes after the selected token",
       distributionScene},
      {NextTokenLayout::Text, "Text", "what was expected after each token, and how surprising what came is",
       nextTokenTextScene},
      {NextTokenLayout::Lens, "Lens", "what the model would say after each sublayer, at every position",
       nextTokenLensScene},
  };
  return table;
}

}  // namespace glassformer
