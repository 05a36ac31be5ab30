#pragma once
#include "app/scene/theme.h"

namespace glassformer {

/// Makes Dear ImGui's own few widgets (windows, scrollbars, text cursors) look like ours.
void applyStyle(const Theme& theme, float scale);

}  // namespace glassformer
