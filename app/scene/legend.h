#pragma once
#include <string>
#include <vector>

#include "app/scene/text_metrics.h"

namespace glassformer {

/// What a colour stands for: a stroke as lines have it, or a swatch as bars do, and words.
struct LegendEntry {
  std::string words;
  Rgba color;
  float stroke = 2.5f;   ///< how thick; 0: a swatch
  TensorRef value = {};  ///< the number that the words spell, where they do
};

/// From the left, in as many lines of legendLine as they need; or with Align::End in the one line of the box,
/// ending at its right, shortened where they have no room. Returns what they cover.
Box addLegend(Scene& scene, const Typography& with, const Box& box, const std::vector<LegendEntry>& entries,
              Align align = Align::Start);

inline constexpr float legendLine = 20;

}  // namespace glassformer
