#include <algorithm>

#include "app/document/view_commands.h"
#include "app/panels/action.h"
#include "app/views/views.h"

namespace glassformer {

namespace {

bool pressed(const Ui& ui, ImGuiKeyChord chord) {
  if (chord == 0) return false;
  const int modifiers = chord & ImGuiMod_Mask_;
  const bool arrow = chord == ImGuiKey_LeftArrow || chord == ImGuiKey_RightArrow ||
                     chord == ImGuiKey_UpArrow || chord == ImGuiKey_DownArrow;
  const bool enter = chord == ImGuiKey_Enter || chord == ImGuiKey_Space;
  if ((arrow && ui.usesArrows) || (enter && ui.usesEnter)) return false;
  if (chord == ImGuiKey_Escape && ui.usesEscape) return false;
  if (chord >= ImGuiKey_A && chord < ImGuiKey_A + ui.lettersTaken) return false;
  return ImGui::GetIO().KeyMods == modifiers &&
         ImGui::IsKeyPressed(static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_), true);
}

bool typed(char sign) {
  if (sign == 0 || ImGui::GetIO().KeyCtrl) return false;
  const auto& queue = ImGui::GetIO().InputQueueCharacters;
  return std::find(queue.begin(), queue.end(), static_cast<ImWchar>(sign)) != queue.end();
}

}  // namespace

void runShortcuts(Ui& ui) {
  for (const Action& action : actions()) {
    if (ui.typing && !action.whileTyping) continue;
    const bool asked =
        pressed(ui, action.key) || pressed(ui, action.otherKey) || (!ui.typing && typed(action.sign));
    if (asked && isAvailable(action, ui)) action.run(ui);
  }
  if (ui.typing || (ui.presenting && ui.lesson)) return;  // of a lesson, digits name the steps
  for (int i = 0; i < std::min(static_cast<int>(views().size()), keysOfViews); ++i)
    if (pressed(ui, static_cast<ImGuiKey>(ImGuiKey_0 + (i + 1) % keysOfViews)))
      ui.emit(commands::setView(views()[static_cast<std::size_t>(i)].id));
}

std::string keyText(const Action& action) {
  return action.sign ? std::string(1, action.sign) : keyText(action.key);
}

}  // namespace glassformer
