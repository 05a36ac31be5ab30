#pragma once
#include <span>

#include "app/scene/training/training_view.h"

namespace glassformer {

/// One way to draw a training run.
struct TrainingLayoutEntry {
  TrainingLayout layout;
  const char *label, *tip;
  void (*draw)(TrainingView& view, Box area);  ///< header and all, into `area`
};

/// Every layout, in the order of their choice: a new one is a file pair and a line in layouts.cpp.
std::span<const TrainingLayoutEntry> trainingLayouts();

}  // namespace glassformer
