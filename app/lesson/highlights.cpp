#include "app/lesson/highlights.h"

#include <algorithm>

namespace glassformer {

namespace {

// From which of a region's rows (or columns) to which the cells reach; none where they do not.
struct Reach {
  int first = 0, count = 0;
};

Reach along(int dimension, int cells, const TensorRef& region, const NamedCells& named) {
  if (dimension < 0) return {0, cells};
  const auto d = static_cast<std::size_t>(dimension);
  if (std::ranges::find(named.spans, dimension) != named.spans.end()) return {0, cells};
  const int at = named.first.index[d] - region.index[d];
  return at >= 0 && at < cells ? Reach{at, 1} : Reach{};
}

bool isElsewhere(const TensorRef& region, const NamedCells& named) {
  for (int d = 0; d < maxRank; ++d)
    if (d != region.rowDimension && d != region.columnDimension &&
        std::ranges::find(named.spans, d) == named.spans.end() &&
        named.first.index[static_cast<std::size_t>(d)] != region.index[static_cast<std::size_t>(d)])
      return true;
  return region.tensor != named.first.tensor;
}

}  // namespace

std::optional<Box> partThatShows(const NamedCells& named, const Box& box, const TensorRef& first, int rows,
                                 int columns) {
  if (isElsewhere(first, named)) return std::nullopt;
  const Reach down = along(first.rowDimension, rows, first, named),
              across = along(first.columnDimension, columns, first, named);
  if (down.count == 0 || across.count == 0) return std::nullopt;
  const Box corner = box.cell(down.first, across.first, rows, columns);
  return Box{corner.x, corner.y, corner.width * static_cast<float>(across.count),
             corner.height * static_cast<float>(down.count)};
}

void addHighlights(Scene& scene, std::span<const NamedCells> cells, const Theme& theme) {
  // As a matrix, where one is drawn; the same numbers in a list beside it need no outline each.
  const bool hasGrid = std::ranges::any_of(scene.hits, [&](const HitRegion& hit) {
    return hit.rows * hit.columns > 1 && std::ranges::any_of(cells, [&](const NamedCells& named) {
             return hit.target.cell.tensor == named.first.tensor;
           });
  });
  std::vector<Rect> outlines;
  for (const HitRegion& hit : scene.hits)
    for (const NamedCells& named : cells) {
      if (hasGrid && hit.rows * hit.columns == 1) continue;
      if (!hit.rowOrder.empty() || hit.cellAt) continue;
      if (const auto part = partThatShows(named, hit.box, hit.target.cell, hit.rows, hit.columns))
        outlines.push_back(Rect{part->inset(-2), {0, 0, 0, 0}, theme.accent, 4, 2.5f});
    }
  for (Rect& outline : outlines) scene.shapes.emplace_back(std::move(outline));
}

}  // namespace glassformer
