#pragma once
#include "app/scene/scene.h"
#include "app/scene/theme.h"
#include "app/screen/fonts.h"
#include "app/screen/heatmap.h"

struct ImDrawList;

namespace glassformer {

/// Where a picture lands on the screen: pixel = origin + scale · place, snapped so that edges stay crisp.
struct Placement {
  Point origin;
  float scale = 1;

  Point toScreen(Point p) const { return {origin.x + p.x * scale, origin.y + p.y * scale}; }
  Point toScene(Point p) const { return {(p.x - origin.x) / scale, (p.y - origin.y) / scale}; }
};

/// Turns Scenes into Dear ImGui draw lists.
class ScenePainter {
 public:
  ScenePainter(const Fonts& fonts, HeatmapRenderer& heatmaps) : fonts_(fonts), heatmaps_(heatmaps) {}

  void beginFrame(const Theme& theme);
  void paint(ImDrawList* list, const Scene& scene, const Placement& placement);
  /// Single shapes without numbers, for the controls around the pictures.
  void paint(ImDrawList* list, const Shape& shape, const Placement& placement);

 private:
  const Fonts& fonts_;
  HeatmapRenderer& heatmaps_;
  Theme theme_;
};

}  // namespace glassformer
