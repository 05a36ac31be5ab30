#include "app/scene/views.h"

#include <algorithm>

#include "app/scene/attention_scene.h"
#include "app/scene/beam_scene.h"
#include "app/scene/influence_scene.h"
#include "app/scene/landscape_scene.h"
#include "app/scene/next_token_scene.h"
#include "app/scene/positions_scene.h"
#include "app/scene/residual_scene.h"
#include "app/scene/step_scene.h"
#include "app/scene/tokens_scene.h"
#include "app/scene/training_scene.h"

namespace glassformer {

namespace {
constexpr View table[] = {
    {"attention", "Attention", "which token looks at which, A = softmax(q · kᵀ / √K)", attentionScene,
     Reads::TextAndSource},
    {"positions", "Positions", "how the model tells places apart, x = E[token] + p[place]", positionsScene},
    {"residual", "Residual", "what each sublayer adds to a token's vector, x ← x + f(norm(x))",
     residualScene},
    {"next_token", "Next token",
     "what comes next, p = softmax(U · norm(x)), and what it would be after each sublayer", nextTokenScene},
    {"beam", "Beam tree", "the continuations that beam search kept and pruned, by Σ log p / lengthᵅ",
     beamScene},
    {"tokens", "Tokens", "what the model reads: ids, bytes, and the merges that made each token", tokensScene,
     Reads::TextAndSource},
    {"step", "Steps", "the tensor at the current step of the forward pass, with its equation", stepScene,
     Reads::TextAndSource},
    {"influence", "Influence", "what a prediction depends on, measured: ∂logit / ∂x of every token",
     influenceScene, Reads::TextAndSource},
    {"training", "Training", "what happens inside a model while it learns, w ← w − η m̂ / (√v̂ + ε)",
     trainingScene, Reads::Nothing},
    {"landscape", "Landscape", "the loss around the trained weights, L(θ + a·δ + b·η)", landscapeScene,
     Reads::Nothing},
};
}  // namespace

std::span<const View> views() { return table; }

const View& viewOf(std::string_view id) {
  const auto found =
      std::find_if(std::begin(table), std::end(table), [&](const View& view) { return view.id == id; });
  return found == std::end(table) ? table[0] : *found;
}

}  // namespace glassformer
