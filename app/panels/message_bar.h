#pragma once
#include <string>

#include "app/panels/ui.h"

namespace glassformer {

/// A message at the lower edge of the window, above all panels, which can be copied. Returns whether it was
/// dismissed, where that is possible.
bool drawMessage(Ui& ui, Point window, const std::string& text, bool dismissable);

}  // namespace glassformer
