// What a lesson tells one to press, click or choose is there, in the window and in a presentation.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <regex>

#include "app/lesson/lesson_shelf.h"
#include "app/lesson/markdown.h"
#include "app/panels/action.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/ui/lesson_window.h"

using namespace glassformer;

namespace {

struct Instruction {
  std::string name;     ///< of a control, a choice or a key: "Play", "Shift M"
  std::string opensBy;  ///< the key that its sentence names before; empty: none
};

bool does(const Action& action, const std::string& key) {
  return keyText(action.key) == key || keyText(action.otherKey) == key || std::string(1, action.sign) == key;
}

bool isKey(const std::string& name) {
  return std::ranges::any_of(actions(), [&](const Action& action) { return does(action, name); });
}

// What stands in *…* right after a verb of doing, or after another such name; and every key.
std::vector<Instruction> instructionsIn(const std::vector<Paragraph>& prose) {
  static const std::regex told(R"(\b([Pp]ress|[Cc]lick|[Cc]hoose|[Oo]pen|[Ss]et|[Tt]urn|[Ff]ind)( the)? $)"),
      goesOn("(,| and| or|, and|, or) ");
  std::vector<Instruction> all;
  for (const Paragraph& paragraph : prose) {
    std::string before, key;
    bool isTold = false;
    for (const Span& span : paragraph.spans) {
      const bool isName = span.style == Span::Style::Token;
      if (isName) {
        isTold = std::regex_search(before, told) || (isTold && std::regex_match(before, goesOn));
        if (isKey(span.text))
          all.push_back({key = span.text, ""});
        else if (isTold)
          all.push_back({span.text, key});
      }
      before = isName ? "" : before + span.text;
      if (!isName && before.find_first_of(".?!") != std::string::npos) key.clear();
      if (!isName) before = before.substr(before.find_last_of(".?!") + 1);
    }
  }
  return all;
}

bool isCalled(const ItemRecord& item, const std::string& name) {
  return item.label.substr(0, item.label.find("##")) == name || item.label.ends_with("##" + name);
}

bool isOnScreen(const UiDriver& ui, const std::string& name) {
  return std::ranges::any_of(ui.items(), [&](const ItemRecord& item) { return isCalled(item, name); });
}

// As it stands, or in a group of choices that is folded: a presentation shows these while the pointer moves.
bool isOffered(UiDriver& ui, const std::string& name) {
  const ImVec2 at = ImGui::GetIO().MousePos;
  ImGui::GetIO().AddMousePosEvent(at.x + 1, at.y);
  ui.frames(2);
  if (isOnScreen(ui, name)) return true;
  for (const ItemRecord& item : ui.items()) {
    if (item.label.find(" ▾##group") == std::string::npos) continue;
    ui.click(item);
    const bool isThere = isOnScreen(ui, name);
    ui.click("Back##choices");
    if (isThere) return true;
  }
  return false;
}

// In what the key opens; the palette finds it by its name.
bool isOpened(UiDriver& ui, const std::string& key, const std::string& name) {
  const auto action = std::ranges::find_if(actions(), [&](const Action& a) { return does(a, key); });
  if (action == actions().end()) return false;
  ui.press(static_cast<ImGuiKey>(action->key & ~ImGuiMod_Mask_), action->key & ImGuiMod_Mask_);
  if (action->title == std::string("Command palette")) ui.type(name);
  const bool isThere = ("\n" + ui.texts()).find("\n" + name) != std::string::npos;
  ui.press(ImGuiKey_Escape);
  return isThere;
}

// What a step tells one to do and does not offer.
std::string missingIn(UiDriver& ui, const LessonStep& step) {
  std::string missing;
  std::vector<Paragraph> all = step.prose;
  for (const std::string& hint : step.hints)
    if (const auto words = readProse(hint))
      all.insert(all.end(), words->paragraphs.begin(), words->paragraphs.end());
  for (const Instruction& told : instructionsIn(all))
    if (!isKey(told.name) && !isOffered(ui, told.name) &&
        (told.opensBy.empty() || !isOpened(ui, told.opensBy, told.name)))
      missing += told.name + "; ";
  return missing;
}

}  // namespace

TEST_CASE("a lesson tells one to do what can be done, in the window and in a presentation") {
  const LessonShelf shelf(lessonsFolder);
  const TemporaryFolder folder;
  int told = 0;
  for (const bool presented : {false, true}) {
    UiDriver::Options options = withLessons(shelf.ships().front()->id, !presented);
    options.runs = folder / "runs";
    UiDriver ui(options);
    if (presented) ui.press(ImGuiKey_F5);
    for (const auto& lesson : shelf.ships()) {
      ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
      ui.type("Lesson: " + lesson->title);
      ui.press(ImGuiKey_Enter);
      for (int i = 0; i < lesson->stepCount(); ++i) {
        INFO(lesson->id << " " << i + 1 << (presented ? ", presented" : ""));
        REQUIRE(ui.workspace().lesson.step == i);
        const LessonStep& step = lesson->steps[static_cast<std::size_t>(i)];
        told += static_cast<int>(instructionsIn(step.prose).size());
        CHECK(missingIn(ui, step) == "");
        if (i + 1 < lesson->stepCount()) ui.click("Next##lesson");
      }
    }
  }
  CHECK(told > 40);
}
