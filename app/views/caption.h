#pragma once
#include <string>

#include "app/drawing/scene_input.h"

namespace glassformer {

struct View;

/// The words below a figure: what it shows, of which model, reading which text, such as "Attention: Block 3 ·
/// Head 1, A = softmax(s). Model stories (4 blocks of 4 heads), reading “The animal didn't cross …”."
std::string captionOf(const View& view, const Scene& scene, const SceneInput& input);

/// The text in one line, as far as its words go into `most` characters.
std::string shortened(const std::string& text, std::size_t most);

}  // namespace glassformer
