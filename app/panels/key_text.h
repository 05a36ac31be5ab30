#pragma once
#include <string>

#include "imgui.h"

namespace glassformer {

/// A key as people read it: "Ctrl Shift Z", "→"; empty for none.
std::string keyText(ImGuiKeyChord key);

}  // namespace glassformer
