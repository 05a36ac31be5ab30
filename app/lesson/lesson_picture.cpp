#include "app/lesson/lesson_picture.h"

#include <algorithm>
#include <span>

#include "app/drawing/parts.h"
#include "app/lesson/highlights.h"
#include "app/lesson/lesson_walk.h"

namespace glassformer {

namespace {

// Those that spell a number, and the rows of lists: what is largest stands first there.
void coverNumbers(Scene& scene) {
  std::vector<Box> rows;
  for (const HitRegion& hit : scene.hits)
    if (!hit.target.cell.empty() && hit.rows * hit.columns == 1 && !hit.cellAt) rows.push_back(hit.box);
  const auto isListed = [&](Point at) {
    return std::ranges::any_of(rows, [&](const Box& row) { return row.contains(at); });
  };
  std::erase_if(scene.shapes, [&](const Shape& shape) {
    const auto* text = std::get_if<Text>(&shape);
    const auto* bar = std::get_if<Bar>(&shape);
    const auto* ground = std::get_if<Rect>(&shape);
    return (text && (!text->value.empty() || isListed(text->at))) || (bar && isListed(bar->track.center())) ||
           (ground && isListed(ground->box.center()));
  });
  for (HitRegion& hit : scene.hits)
    if (!hit.target.cell.empty()) hit.target.cell = {}, hit.target.text = {}, hit.say = {};
}

// Wherever the picture draws one of the cells: in a matrix, small ones included, and in rows of lists.
std::vector<Box> placesOf(std::span<const NamedCells> cells, const Scene& scene) {
  std::vector<Box> places;
  const auto isNew = [&](const Box& part) {
    return std::ranges::none_of(places, [&](const Box& place) { return place.contains(part.center()); });
  };
  const auto add = [&](const Box& box, const TensorRef& first, int rows, int columns) {
    for (const NamedCells& named : cells)
      if (const auto part = partThatShows(named, box, first, rows, columns); part && isNew(*part))
        places.push_back(*part);
  };
  for (const HitRegion& hit : scene.hits)
    if (hit.rowOrder.empty() && !hit.cellAt) add(hit.box, hit.target.cell, hit.rows, hit.columns);
  for (const Shape& shape : scene.shapes)
    if (const auto* matrix = std::get_if<Matrix>(&shape))
      if (const auto shown = plane(scene.sources, matrix->values))
        add(matrix->box, matrix->values, shown->extent[0], shown->extent[1]);
  return places;
}

void coverCells(Scene& scene, std::span<const NamedCells> cells, const Theme& theme) {
  const std::vector<Box> places = placesOf(cells, scene);
  std::erase_if(scene.shapes, [&](const Shape& shape) {
    const auto* text = std::get_if<Text>(&shape);
    return text &&
           std::ranges::any_of(places, [&](const Box& place) { return place.inset(-1).contains(text->at); });
  });
  for (const Box& place : places) {
    scene.add(Rect{place, theme.raised, theme.line});
    if (std::min(place.width, place.height) > Theme::small)
      addText(scene, place.center(), "?", theme.note(), Align::Middle);
    HitRegion& hit = addHitRegion(scene, place);
    hit.target.text = "Answer to reveal the picture.";
  }
}

std::vector<NamedCells> highlightsOf(const LessonStep& step, const Snapshot& snapshot) {
  std::vector<NamedCells> all;
  for (const std::string& cells : step.highlights)
    if (const auto named = namedCells(cells, snapshot)) all.push_back(*named);
  return all;
}

}  // namespace

void adaptToStep(Scene& scene, const Lesson& lesson, const Workspace& workspace, const Snapshot& snapshot,
                 const Theme& theme) {
  const LessonStep& step = lesson.steps[static_cast<std::size_t>(stepOf(lesson, workspace))];
  const Cover cover = coveredNow(&lesson, workspace);
  if (cover.numbers) coverNumbers(scene);
  // What it speaks of may be the answer.
  if (cover.cells)
    coverCells(scene, highlightsOf(step, snapshot), theme);
  else if (!isWaiting(lesson, workspace))
    addHighlights(scene, highlightsOf(step, snapshot), theme);
}

}  // namespace glassformer
