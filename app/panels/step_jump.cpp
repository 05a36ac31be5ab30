#include "app/panels/step_jump.h"

#include "app/lesson/lesson_walk.h"
#include "app/toolkit/item_log.h"

namespace glassformer {

namespace {

constexpr std::size_t mostDigits = 3;

bool pressedEither(ImGuiKey key, ImGuiKey other) {
  return ImGui::IsKeyPressed(key, false) || ImGui::IsKeyPressed(other, false);
}

}  // namespace

bool StepJump::take(Ui& ui) {
  const std::string before = digits_;
  for (int digit = 0; digit < 10; ++digit)
    if (pressedEither(static_cast<ImGuiKey>(ImGuiKey_0 + digit),
                      static_cast<ImGuiKey>(ImGuiKey_Keypad0 + digit)) &&
        digits_.size() < mostDigits)
      digits_ += static_cast<char>('0' + digit);
  if (!digits_.empty() && ImGui::IsKeyPressed(ImGuiKey_Backspace)) digits_.pop_back();
  if (!digits_.empty() && pressedEither(ImGuiKey_Enter, ImGuiKey_KeypadEnter)) {
    const int step = std::stoi(digits_) - 1;
    if (step >= 0 && step < ui.lesson->stepCount()) ui.emit(commands::goToLessonStep(ui.lesson, step));
    digits_.clear();
  }
  return digits_ != before;
}

bool StepJump::takeBack() {
  if (digits_.empty()) return false;
  digits_.clear();
  return true;
}

void StepJump::show(const Ui& ui, Point window) const {
  if (digits_.empty()) return;
  const int last = ui.lesson ? ui.lesson->stepCount() : 0;
  const bool isThere = std::stoi(digits_) >= 1 && std::stoi(digits_) <= last;
  const std::string words =
      "Step " + digits_ + (isThere ? "   Enter" : "   there are " + std::to_string(last));
  const TextStyle style{FontFace::Strong, Theme::title, isThere ? ui.theme.text : ui.theme.broken};
  const float width = ui.metrics().width(words, style.face, style.size) + 48;
  const Box box{(window.x - width) / 2, window.y - 120, width, 56};
  ImDrawList* const list = ImGui::GetForegroundDrawList();
  const Placement at{{0, 0}, ui.scale};
  ui.painter.paint(list, Rect{box, ui.theme.raised, ui.theme.line, Theme::radius, 1}, at);
  ui.painter.paint(list, Text{box.center(), words, style, Align::Middle, Align::Middle, 0, false, {}}, at);
}

}  // namespace glassformer
