#include "app/panels/key_text.h"

namespace glassformer {

std::string keyText(ImGuiKeyChord chord) {
  if (chord == 0) return "";
  std::string text;
  if (chord & ImGuiMod_Ctrl) text += "Ctrl ";
  if (chord & ImGuiMod_Alt) text += "Alt ";
  if (chord & ImGuiMod_Shift) text += "Shift ";
  const auto key = static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_);
  switch (key) {
    case ImGuiKey_LeftArrow:
      return text + "←";
    case ImGuiKey_RightArrow:
      return text + "→";
    case ImGuiKey_UpArrow:
      return text + "↑";
    case ImGuiKey_DownArrow:
      return text + "↓";
    case ImGuiKey_Equal:
      return text + "+";
    case ImGuiKey_Minus:
      return text + "−";
    default:
      return text + ImGui::GetKeyName(key);
  }
}

}  // namespace glassformer
