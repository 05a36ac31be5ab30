#pragma once
#include <string>
#include <vector>

#include "app/document/neuron_settings.h"
#include "app/drawing/parts.h"

namespace glassformer {

/// Which texts are read where many are: so many of the model's own task, at most `most`, its questions, or
/// the lines of the tabs.
std::vector<Choice> corpusChoices(const SceneInput& input, int most = mostTexts);
/// What so many of them are called: "200 texts", "1 line".
std::string corpusWords(const SceneInput& input, float count);

}  // namespace glassformer
