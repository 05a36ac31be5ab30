#include "app/scene/tokens_scene.h"

#include "app/scene/parts.h"
#include "app/scene/tokens/merge_steps.h"
#include "app/scene/tokens/token_table.h"
#include "core/model/point_names.h"

namespace glassformer {

namespace {

constexpr float embeddingHeight = 72;

// The id picks a row of the embedding: from here on the token is this vector.
void addEmbedding(Scene& scene, const SceneInput& input, Box box) {
  const int query = input.query();
  const TokenPiece& token = input.snapshot.tokens[static_cast<std::size_t>(query)];
  const TensorRef row{stackPoint(*input.snapshot.config, "hook_embed"), {query, 0}, -1, 1, -1, -1};
  if (!scene.sources.contains(row.tensor)) return;
  const TextStyle quiet{FontFace::Ui, Theme::small, input.theme.quiet};
  addText(scene, {box.x, box.y + 10}, "row " + std::to_string(token.id) + " of the embedding", quiet)
      .maxWidth = box.width;
  const Box strip{box.x, box.y + 28, box.width, 20};
  const Coloring colors =
      coloring(input, {row}, {ColorMap::Diverging, symmetric(rangeOf(scene.sources, row))});
  scene.add(Matrix{strip, row, colors.map, colors.range, 1, false});
  HitRegion hit;
  hit.box = strip;
  hit.target.cell = row;
  hit.target.token = query;
  hit.columns = plane(scene.sources, row)->extent[1];
  hit.columnAxis = Axis::Dimension;
  hit.name = "embedding";
  scene.hits.push_back(std::move(hit));
}

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
  Scene scene;
  scene.size = {std::max(input.size.x, 420.0f), std::max(input.size.y, 360.0f)};
  scene.sources = input.sources();
  const bool narrow = scene.size.x < 900;
  Box area = Box{0, 0, scene.size.x, scene.size.y}.inset(narrow ? 16.0f : 24.0f);
  addHeading(scene, input, area.takeTop(72), "Tokens", aboutText(input.snapshot));
  Box table = area.takeLeft(std::clamp(area.width * 0.5f, std::min(388.0f, area.width * 0.62f), 640.0f));
  area.takeLeft(narrow ? 24.0f : 56.0f);
  addTokenTable(scene, input, table);
  area.height -= embeddingHeight;
  const Box below = addMergeSteps(scene, input, area);
  addEmbedding(scene, input, {below.x, below.y + 24, below.width, embeddingHeight});
  return scene;
}

}  // namespace glassformer
