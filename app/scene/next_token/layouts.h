#pragma once
#include <span>

#include "app/scene/next_token/next_token_view.h"

namespace glassformer {

/// One way to draw what comes next.
struct NextTokenLayoutEntry {
  NextTokenLayout layout;
  const char *label, *tip;
  Scene (*draw)(const SceneInput& input);
};

/// Every layout, in the order of their choice: a new one is a file pair and a line in layouts.cpp.
std::span<const NextTokenLayoutEntry> nextTokenLayouts();

}  // namespace glassformer
