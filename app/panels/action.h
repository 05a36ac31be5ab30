#pragma once
#include <span>
#include <string>
#include <string_view>

#include "app/panels/key_text.h"
#include "app/panels/ui.h"

namespace glassformer {

/// When an action can be done.
struct Condition {
  constexpr Condition(bool (*test)(const Ui&) = nullptr, const char* words = "")
      : holds(test), until(words) {}
  bool (*holds)(const Ui&);  ///< nullptr: always
  const char*
      until;  ///< what it waits for, "while a model is trained"; empty where nobody asks for it before
};

/// Something a person can do by name and by key. The one list (actions/) that the keyboard, the command
/// palette and the map of keys read.
struct Action {
  const char* id;     ///< of the code and of its synonyms: "ablate-head"
  const char* group;  ///< heading in the map of keys
  const char* title;  ///< "Undo"
  ImGuiKeyChord key = 0, otherKey = 0;
  char sign = 0;             ///< a character that does it, wherever the keyboard layout has it
  bool whileTyping = false;  ///< the key works in a text field too
  void (*run)(Ui&) = nullptr;
  Condition available = {};
};

/// The group of the actions that ablate components of the model, and restore them.
inline constexpr const char* switchGroup = "Ablation";

std::span<const Action> actions();
/// The key of an action as people read it: "Ctrl Shift Z", "→", "?"; empty when it has none.
std::string keyText(const Action& action);
/// The action with this id, which has to exist.
const Action& actionOf(std::string_view id);
bool isAvailable(const Action& action, const Ui& ui);

/// The first ten views have a digit, as they stand on the keyboard: "1" to "9", then "0".
inline constexpr int keysOfViews = 10;
inline std::string viewKey(int view) {
  return view < keysOfViews ? std::to_string((view + 1) % keysOfViews) : "";
}

/// Runs what the keys of this frame ask for.
void runShortcuts(Ui& ui);
/// The letters that were typed in this frame.
std::string typedLetters();

}  // namespace glassformer
