#pragma once
#include <span>
#include <vector>

#include "app/lesson/lesson.h"
#include "app/scene/text_metrics.h"
#include "app/scene/theme.h"

namespace glassformer {

/// Words and equations of a lesson, laid out in lines; how tall they came to be, in pixels at 100 %. Lines
/// break at spaces, between ideographs (UAX #14), and inside of a word that alone is too wide.
struct LaidProse {
  struct Link {
    Box box;
    std::string target;
  };
  std::vector<Shape> shapes;
  std::vector<float> lineEnds;  ///< the foot of each line
  std::vector<Link> links;      ///< a word each
  float height = 0;
};
LaidProse layProse(std::span<const Paragraph> paragraphs, Point at, float width, const TextMetrics& metrics,
                   const Theme& theme, float size);

}  // namespace glassformer
