#pragma once
#include <span>

#include "app/scene/positions/positions_view.h"

namespace glassformer {

/// One way to draw positions.
struct PositionsLayoutEntry {
  PositionsLayout layout;
  const char *label, *tip;
  void (*draw)(PositionsView& view, Box area);  ///< header and all, into `area`
};

/// Every layout, in the order of their choice: a new one is a file pair and a line in layouts.cpp.
std::span<const PositionsLayoutEntry> positionsLayouts();

}  // namespace glassformer
