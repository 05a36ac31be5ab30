#include "app/drawing/token_flow.h"

#include <algorithm>

namespace glassformer {

TokenFlow tokenFlow(const SceneInput& input, Stream stream, float width, float size) {
  const float height = flowWordHeight(size) + (flowHasNumbers(size) ? 20.0f : 0.0f),
              gap = size > Theme::small ? 4.0f : 1.0f;
  const float least = flowHasNumbers(size) ? 40.0f : 0.0f;
  TokenFlow flow;
  float x = 0, y = 0;
  for (int i = 0; i < input.countOf(stream); ++i) {
    const float text = input.metrics.width(input.label(i, stream), FontFace::Mono, size);
    const float own = std::min(width, std::max(least, std::ceil(text) + 8));
    if (x > 0 && x + own > width) x = 0, y += height + gap;
    flow.boxes.push_back({x, y, own, height});
    flow.width = std::max(flow.width, x + own);
    x += own + gap;
    if (input.label(i, stream).ends_with("↵")) x = width;  // labelOf() a line break
  }
  flow.height = y + height;
  return flow;
}

}  // namespace glassformer
