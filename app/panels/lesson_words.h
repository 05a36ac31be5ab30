#pragma once
#include <string>

#include "app/panels/ui.h"

namespace glassformer {

/// Words of a lesson as its file has them, with *tokens* and equations, off the top of `rest`.
void showLessonWords(const Ui& ui, const std::string& markdown, float size, Rgba color, Box& rest);

}  // namespace glassformer
