#pragma once
#include "app/panels/input_panel.h"
#include "app/panels/layout.h"
#include "app/panels/ui.h"

namespace glassformer {

/// Outlines the region of the window that the step of the open lesson speaks of, if it speaks of one that is
/// shown.
void drawLessonOutline(const Ui& ui, const Layout& layout, const InputPanel& input, bool showsInput);

}  // namespace glassformer
