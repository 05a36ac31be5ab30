#pragma once
#include <string>
#include <vector>

#include "app/drawing/scene_input.h"
#include "app/scene/scene.h"

namespace glassformer {

/// Words in as many lines as they need, up to eight; the first one at `first`, each with its middle there or,
/// with Align::Start, its beginning. Returns how far below it the last one stands.
float addLines(Scene& scene, const SceneInput& input, Point first, float width, const std::string& words,
               const TextStyle& style, Align horizontal = Align::Middle);

/// Of several ways to say one thing, the longest first, the first that fits into a width; the last where none
/// does.
std::string wordingFor(float width, const SceneInput& input, const TextStyle& style,
                       std::vector<std::string> wordings);

}  // namespace glassformer
