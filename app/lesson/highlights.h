#pragma once
#include <optional>
#include <span>

#include "app/lesson/measure.h"
#include "app/scene/scene.h"
#include "app/scene/theme.h"

namespace glassformer {

/// Which part of a box shows cells that are named, where it shows `rows` by `columns` cells from `first` on;
/// nothing where it shows none of these.
std::optional<Box> partThatShows(const NamedCells& named, const Box& box, const TensorRef& first, int rows,
                                 int columns);
/// Outlines, wherever a picture shows them, the cells that a lesson speaks of.
void addHighlights(Scene& scene, std::span<const NamedCells> cells, const Theme& theme);

}  // namespace glassformer
