#pragma once
#include <string>
#include <vector>

#include "app/document/tab_text.h"
#include "app/drawing/scene_input.h"

namespace glassformer {

/// The ids in a row of a tensor [Y, Z] of tokens, up to the first that is no number.
std::vector<int> tokensInRow(const TensorSources& sources, const std::string& tensor, int row);
/// What such rows say of a text and of its source, as one writes it: without the sign that texts begin with.
/// `source`: a tensor that is not there says nothing.
TabText writingOfRow(const SceneInput& input, const TensorSources& sources, const std::string& tokens,
                     const std::string& source, int row);

}  // namespace glassformer
