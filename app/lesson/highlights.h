#pragma once
#include <span>

#include "app/lesson/measure.h"
#include "app/scene/scene.h"
#include "app/scene/theme.h"

namespace glassformer {

/// Outlines, wherever a picture shows them, the cells that a lesson speaks of.
void addHighlights(Scene& scene, std::span<const NamedCells> cells, const Theme& theme);

}  // namespace glassformer
