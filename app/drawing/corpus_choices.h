#pragma once
#include <vector>

#include "app/drawing/parts.h"

namespace glassformer {

/// Which texts are read where many are: so many of the model's own task, or the lines of the tabs.
std::vector<Choice> corpusChoices(const SceneInput& input);

}  // namespace glassformer
