#pragma once
#include <string>

#include "app/panels/ui.h"

namespace glassformer::widgets {

/// A line of text to edit, in a frame of its own. True in frames in which it changed. Tab moves on to the
/// next one.
bool textEntry(Ui& ui, const char* label, const Box& box, std::string& text, FontFace face = FontFace::Mono,
               bool enabled = true, ImGuiInputTextFlags flags = 0);

}  // namespace glassformer::widgets
