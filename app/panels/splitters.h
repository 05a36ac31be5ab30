#pragma once
#include "app/panels/layout.h"
#include "app/panels/ui.h"

namespace glassformer {

/// The edges between the regions of the window, which can be dragged: the look remembers how wide they are.
void drawSplitters(Ui& ui, const Layout& layout);

}  // namespace glassformer
