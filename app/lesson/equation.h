#pragma once
#include <string_view>
#include <vector>

#include "app/scene/text_metrics.h"
#include "core/result.h"

namespace glassformer {

/// An equation, set: what to draw around the point (0, 0), which is its left end on the height of a minus
/// sign.
struct SetEquation {
  float width = 0, above = 0, below = 0;  ///< how far it reaches, in pixels at 100 %
  std::vector<Text> texts;
  std::vector<Rect> rules;  ///< of fractions and roots
};

/// Sets the part of TeX that equations of transformers need: scripts, \frac, \sqrt, \sum, Greek letters,
/// relations, names of functions, \mathrm, \text, \mathbb. An error names what it does not know.
Result<SetEquation> setEquation(std::string_view tex, const TextMetrics& metrics, float size, Rgba color);

}  // namespace glassformer
