#pragma once
#include <vector>

#include "app/scene/text_metrics.h"

namespace glassformer {

/// What is written around a drawn room, beside its edges: what would lie on another text is left out.
class OutsideTexts {
 public:
  OutsideTexts(Scene& scene, const TextMetrics& metrics) : scene_(scene), metrics_(metrics) {}

  /// `gap` away from a place of an edge, along `out`, of length 1. Whether it found room.
  bool add(Point edge, Point out, Text text, float gap = 16);
  /// Whether no text meets the box.
  bool isFree(const Box& box) const;
  void take(const Box& box) { taken_.push_back(box); }

 private:
  Scene& scene_;
  const TextMetrics& metrics_;
  std::vector<Box> taken_;
};

/// From a place to another, as long as 1.
Point directionOf(Point from, Point to);

}  // namespace glassformer
