#include "app/views/tokens/embedding_row.h"

#include "app/drawing/parts.h"
#include "app/drawing/wording.h"
#include "core/model/point_names.h"

namespace glassformer {

namespace {

// The longest wording first.
std::vector<std::string> aboutRow(const SceneInput& input, Stream stream, int query) {
  const auto id = [stream](const Snapshot& side, int position) {
    return std::to_string(side.pass->tokensOf(stream)[static_cast<std::size_t>(position)].id);
  };
  const auto ofEmbedding = [](const std::string& row, const std::string& behind = "") {
    return std::vector{row + " of the embedding" + behind, row + " of E" + behind};
  };
  if (!input.snapshot.isDifference()) return ofEmbedding("row " + id(input.snapshot, query));
  const Snapshot::Sides& sides = *input.snapshot.sides;
  const auto [a, b] = sides.alignments.text[query];
  if (a < 0 || b < 0) return {"no row of the embedding to compare with", "no row to compare with"};
  const std::string first = id(*sides.a, a), second = id(*sides.b, b);
  if (first == second) return ofEmbedding("row " + first, " in both");
  return ofEmbedding("row " + first + " − row " + second);
}

}  // namespace

void addEmbeddingRow(Scene& scene, const SceneInput& input, Stream stream, const Box& box) {
  const int query = input.query(stream);
  const TensorRef row{stackPoint(input.config(), "hook_embed", stream), {query, 0}, -1, 1, -1, -1};
  if (!scene.sources.contains(row.tensor)) return;
  addText(scene, {box.x, box.y + 10},
          wordingFor(box.width, input, input.theme.note(), aboutRow(input, stream, query)),
          input.theme.note())
      .maxWidth = box.width;
  const Box strip{box.x, box.y + 28, box.width, 20};
  const Coloring colors =
      coloring(input, {row}, {ColorMap::Diverging, symmetric(rangeOf(scene.sources, row))});
  scene.add(Matrix{strip, row, colors.map, colors.range});
  HitRegion& hit = addHitRegion(scene, strip, row, "embedding");
  hit.target.token = query, hit.target.tokens = stream;
  hit.columns = plane(scene.sources, row)->extent[1];
  hit.columnAxis = Axis::Dimension;
}

}  // namespace glassformer
