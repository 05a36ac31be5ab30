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

/// A text as it came out, for checks of the layout: what was written, where in pixels, and how much of that
/// can be seen.
struct DrawnText {
  std::string text;
  Box box;   ///< of its letters, without the room above and below them
  Box clip;  ///< what its surroundings leave visible
  const ImDrawList* list = nullptr;
  bool scrolls = false;  ///< part of a picture larger than its window: the edge may cut it
  float size = 0;        ///< of the type, in pixels of the screen
  TensorRef value;       ///< the number it spells, where it does
};

/// Turns Scenes into Dear ImGui draw lists.
class ScenePainter {
 public:
  ScenePainter(const Fonts& fonts, HeatmapRenderer& heatmaps) : fonts_(fonts), heatmaps_(heatmaps) {}

  void beginFrame(const Theme& theme);
  void paint(ImDrawList* list, const Scene& scene, const Placement& placement, bool scrolls = false);
  /// Single shapes without numbers, for the controls around the pictures.
  void paint(ImDrawList* list, const Shape& shape, const Placement& placement, bool scrolls = false);

  /// Keeps a note of every text of a frame from the next one on.
  void keepTexts(bool keep) { keepsTexts_ = keep; }
  const std::vector<DrawnText>& texts() const { return texts_; }

 private:
  const Fonts& fonts_;
  HeatmapRenderer& heatmaps_;
  Theme theme_;
  bool keepsTexts_ = false;
  std::vector<DrawnText> texts_;
};

}  // namespace glassformer
