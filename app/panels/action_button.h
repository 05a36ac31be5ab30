#pragma once
#include "app/panels/action.h"
#include "app/panels/widgets.h"

namespace glassformer::widgets {

/// A button that runs the action of this id: pressable where that is available, its name and key on hover.
/// Of `options`, look and icon count.
void actionButton(Ui& ui, const char* id, const char* label, const Box& box, ButtonOptions options);

}  // namespace glassformer::widgets
