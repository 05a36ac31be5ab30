#include "app/scene/parts.h"

#include <cmath>

#include "app/scene/format.h"

namespace glassformer {

Text& addText(Scene& scene, Point at, std::string text, TextStyle style, Align horizontal) {
  Text shape;
  shape.at = at;
  shape.text = std::move(text);
  shape.style = style;
  shape.horizontal = horizontal;
  return scene.add(std::move(shape));
}

void addOutline(Scene& scene, Box box, Rgba color, float width) {
  scene.add(Rect{box.inset(-width / 2), {0, 0, 0, 0}, color, 0, width});
}

Range symmetric(Range range) {
  const float size = std::max({std::abs(range.low), std::abs(range.high), 1e-6f});
  return {-size, size};
}

namespace {

// Distance between labels, in steps, so that they keep a line's height apart.
int stride(float step, float needed) {
  return std::max(1, static_cast<int>(std::ceil(needed / std::max(step, 0.01f))));
}

}  // namespace

void addLabels(Scene& scene, const SceneInput& input, const AxisLabels& labels) {
  if (labels.count <= 0) return;
  const bool left = labels.side == Side::Left;
  const float extent = left ? labels.box.height : labels.box.width;
  const float step = extent / static_cast<float>(labels.count);
  const int every = stride(step, Theme::small + 3);
  const auto isStrong = [&](int i) { return labels.strong && labels.strong(i); };
  const auto nearStrong = [&](int i) {
    for (int other = std::max(0, i - every + 1); other < std::min(labels.count, i + every); ++other)
      if (other != i && isStrong(other)) return true;
    return false;
  };
  for (int i = 0; i < labels.count; ++i) {
    const bool strong = isStrong(i);
    if (!strong && (i % every != 0 || (every > 1 && nearStrong(i)))) continue;
    const Box cell = left ? labels.box.cell(i, 0, labels.count, 1) : labels.box.cell(0, i, 1, labels.count);
    Text text;
    text.text = labels.label(i);
    text.style = {labels.face, Theme::small, strong ? input.theme.text : input.theme.quiet};
    text.maxWidth = labels.depth - 8;
    if (left) {
      text.at = {labels.box.x - 8, cell.center().y};
      text.horizontal = Align::End;
    } else {
      text.upright = true;
      text.horizontal = Align::Middle;
      text.at = {cell.center().x, labels.side == Side::Top ? labels.box.y - 6 : labels.box.bottom() + 6};
      text.vertical = labels.side == Side::Top ? Align::Start : Align::End;
    }
    scene.add(std::move(text));
  }
}

void addColorScale(Scene& scene, const SceneInput& input, Box box, ColorMap map, Range range) {
  const TextStyle style{FontFace::Mono, Theme::small, input.theme.quiet};
  const Box strip{box.x, box.y, 10, box.height};
  scene.add(ColorScale{strip, map, true});
  scene.add(Rect{strip, {0, 0, 0, 0}, input.theme.line, 0, 1});
  addText(scene, {strip.right() + 8, strip.y + 6}, formatted(range.high), style);
  addText(scene, {strip.right() + 8, strip.bottom() - 6}, formatted(range.low), style);
  if (map == ColorMap::Diverging && box.height > 64)
    addText(scene, {strip.right() + 8, strip.center().y}, formatted((range.low + range.high) / 2), style);
}

Scene emptyScene(const SceneInput& input, const std::string& title, const std::string& reason) {
  Scene scene;
  scene.size = input.size;
  const Point middle{input.size.x / 2, input.size.y / 2};
  addText(scene, {middle.x, middle.y - 16}, title, {FontFace::Strong, Theme::title, input.theme.text},
          Align::Middle);
  Text& why = addText(scene, {middle.x, middle.y + 16}, reason,
                      {FontFace::Ui, Theme::small, input.theme.quiet}, Align::Middle);
  why.maxWidth = input.size.x - 64;
  return scene;
}

}  // namespace glassformer
