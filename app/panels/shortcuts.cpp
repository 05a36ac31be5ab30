#include <algorithm>

#include "app/document/view_commands.h"
#include "app/panels/action.h"
#include "app/views/views.h"
#include "imgui_internal.h"

namespace glassformer {

namespace {

// Alone or with Shift.
bool isLetter(ImGuiKeyChord chord) {
  const int key = chord & ~ImGuiMod_Shift;
  return key >= ImGuiKey_A && key <= ImGuiKey_Z;
}

// What is held down besides the key; of "+" no matter whether Shift has to be held down for it.
int modifiersOf(ImGuiKeyChord chord) {
  const int held = ImGui::GetIO().KeyMods;
  return (chord & ~ImGuiMod_Mask_) == ImGuiKey_Equal ? held & ~ImGuiMod_Shift : held;
}

bool pressed(const Ui& ui, ImGuiKeyChord chord) {
  if (chord == 0 || (ui.lettersWrite && isLetter(chord))) return false;
  const int modifiers = chord & ImGuiMod_Mask_;
  const bool arrow = chord == ImGuiKey_LeftArrow || chord == ImGuiKey_RightArrow ||
                     chord == ImGuiKey_UpArrow || chord == ImGuiKey_DownArrow;
  const bool enter = chord == ImGuiKey_Enter || chord == ImGuiKey_Space;
  if ((arrow && ui.usesArrows) || (enter && ui.usesEnter)) return false;
  if (chord == ImGuiKey_Escape && ui.usesEscape) return false;
  if (chord >= ImGuiKey_A && chord < ImGuiKey_A + ui.lettersTaken) return false;
  return modifiersOf(chord) == modifiers &&
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
    if (!asked || !isAvailable(action, ui)) continue;
    action.run(ui);
    if (isLetter(action.key) || action.key == ImGuiKey_Delete) ui.doneByKey = &action;
  }
  if (ui.typing || (ui.presenting && ui.lesson)) return;  // of a lesson, digits name the steps
  for (int i = 0; i < std::min(static_cast<int>(views().size()), keysOfViews); ++i)
    if (pressed(ui, static_cast<ImGuiKey>(ImGuiKey_0 + (i + 1) % keysOfViews)))
      ui.emit(commands::setView(views()[static_cast<std::size_t>(i)].id));
}

std::string typedLetters() {
  const ImGuiIO& io = ImGui::GetIO();
  std::string letters;
  if (io.KeyCtrl || io.KeyAlt) return letters;
  for (const ImWchar sign : io.InputQueueCharacters) {
    const bool isAscii = sign < 128, isAsciiLetter = (sign | 32) >= 'a' && (sign | 32) <= 'z';
    char utf8[5];
    ImTextCharToUtf8(utf8, sign);
    if (!isAscii || isAsciiLetter) letters += utf8;
  }
  return letters;
}

std::string keyText(const Action& action) {
  return action.sign ? std::string(1, action.sign) : keyText(action.key);
}

}  // namespace glassformer
