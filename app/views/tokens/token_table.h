#pragma once
#include "app/drawing/scene_input.h"

namespace glassformer {

/// The list of the text's tokens: place, token, id, which bytes of the text, these bytes, and how probable
/// the model found it. Shows as many as fit; the wheel moves through the rest.
void addTokenTable(Scene& scene, const SceneInput& input, Stream stream, Box area);

}  // namespace glassformer
