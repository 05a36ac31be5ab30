#pragma once
#include <span>

#include "app/scene/residual/residual_view.h"

namespace glassformer {

/// One way to draw the residual stream.
struct ResidualLayoutEntry {
  ResidualLayout layout;
  const char *label, *tip;
  void (*draw)(ResidualView& view, Box area);  ///< header and all, into `area`
};

/// Every layout, in the order of their choice: a new one is a file pair and a line in layouts.cpp.
std::span<const ResidualLayoutEntry> residualLayouts();

}  // namespace glassformer
