#pragma once
#include <span>

#include "app/scene/influence/influence_view.h"

namespace glassformer {

/// One way to draw influence.
struct InfluenceLayoutEntry {
  InfluenceLayout layout;
  const char *label, *tip;
  void (*draw)(InfluenceView& view, Box area);  ///< header and all, into `area`
};

/// Every layout, in the order of their choice: a new one is a file pair and a line in layouts.cpp.
std::span<const InfluenceLayoutEntry> influenceLayouts();

}  // namespace glassformer
