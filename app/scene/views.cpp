#include "app/scene/views.h"

#include <algorithm>

#include "app/scene/attention_scene.h"
#include "app/scene/beam_scene.h"
#include "app/scene/next_token_scene.h"
#include "app/scene/positions_scene.h"
#include "app/scene/residual_scene.h"
#include "app/scene/step_scene.h"

namespace glassformer {

namespace {
constexpr View table[] = {
    {"attention", "Attention", "one head large, all heads small: which token looks at which", attentionScene},
    {"positions", "Positions", "how the model tells places in the text apart", positionsScene},
    {"residual", "Residual", "how the residual stream grows, and what adds to it", residualScene},
    {"next_token", "Next token",
     "what the model says comes next, and what it would say after each half-layer", nextTokenScene},
    {"beam", "Beam tree", "the continuations that beam search tried, kept and pruned", beamScene, false},
    {"step", "Steps", "the tensor at the current step of the forward pass, with its equation", stepScene},
};
}  // namespace

std::span<const View> views() { return table; }

const View& viewOf(std::string_view id) {
  const auto found =
      std::find_if(std::begin(table), std::end(table), [&](const View& view) { return view.id == id; });
  return found == std::end(table) ? table[0] : *found;
}

}  // namespace glassformer
