#include "app/drawing/wording.h"

#include <algorithm>
#include <utility>

#include "app/drawing/parts.h"

namespace glassformer {

float addLines(Scene& scene, const SceneInput& input, Point first, float width, const std::string& words,
               const TextStyle& style, Align horizontal) {
  constexpr int most = 8;
  float below = 0;
  for (std::string& line : wrapped(input.metrics, words, style.face, style.size, width, most)) {
    addText(scene, {first.x, first.y + below}, std::move(line), style, horizontal).maxWidth = width;
    below += style.size + 7;
  }
  return std::max(0.0f, below - style.size - 7);
}

std::string wordingFor(float width, const SceneInput& input, const TextStyle& style,
                       std::vector<std::string> wordings) {
  for (std::string& words : wordings)
    if (input.metrics.width(words, style.face, style.size) <= width) return std::move(words);
  return std::move(wordings.back());
}

}  // namespace glassformer
