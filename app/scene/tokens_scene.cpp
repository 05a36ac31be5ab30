#include "app/scene/tokens_scene.h"

#include "app/scene/parts.h"
#include "app/scene/tokens/embedding_row.h"
#include "app/scene/tokens/merge_steps.h"
#include "app/scene/tokens/token_difference.h"
#include "app/scene/tokens/token_table.h"

namespace glassformer {

namespace {

std::string aboutText(const Snapshot& snapshot) {
  const auto count = [](std::size_t n, const char* what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
  };
  return count(snapshot.tokens.size(), "token") + " from " + count(snapshot.text.size(), "byte") +
         "; the vocabulary has " + std::to_string(snapshot.config->vocabulary);
}

}  // namespace

Scene tokensScene(const SceneInput& input) {
  if (!input.snapshot.hasTrace() || !input.snapshot.config || input.snapshot.tokens.empty())
    return emptyScene(input, "No tokens yet",
                      input.snapshot.error.empty() ? "Write a text on the left." : input.snapshot.error);
  if (input.snapshot.isDifference()) return tokenDifferenceScene(input);
  Scene scene;
  scene.size = {std::max(input.size.x, 420.0f), std::max(input.size.y, 360.0f)};
  scene.sources = input.sources();
  const bool narrow = scene.size.x < 900;
  Box area = Box{0, 0, scene.size.x, scene.size.y}.inset(narrow ? 16.0f : 24.0f);
  addHeading(scene, input, area.takeTop(72), "Tokens", aboutText(input.snapshot));
  Box table = area.takeLeft(std::clamp(area.width * 0.5f, std::min(388.0f, area.width * 0.62f), 640.0f));
  area.takeLeft(narrow ? 24.0f : 56.0f);
  addTokenTable(scene, input, table);
  area.height -= embeddingRowHeight + 24;
  const Box below = addMergeSteps(scene, input, area);
  addEmbeddingRow(scene, input, {below.x, below.y + 24, below.width, embeddingRowHeight});
  return scene;
}

}  // namespace glassformer
