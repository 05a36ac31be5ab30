#pragma once
#include "core/train/tasks/grammar.h"

namespace glassformer {

/// The words and sentences of the stories. Scenes (story_scenes.h) say in which order they come.
const Rules& storyRules();

}  // namespace glassformer
