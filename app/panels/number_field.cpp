#include "app/panels/number_field.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "app/panels/text_entry.h"
#include "app/panels/widgets.h"
#include "app/scene/format.h"
#include "app/toolkit/item_log.h"
#include "core/shortest_text.h"
#include "imgui_internal.h"

namespace glassformer::widgets {

namespace {

constexpr float stepButtonWidth = 25, dragOfWholeRange = 240;  // pixels at 100 %
constexpr double refusalSeconds = 4, wheelGestureSeconds = 1;

// Written with as many digits as it needs: there is no telling how small it may be.
bool isExact(const NumberOptions& o) { return o.decimals > 0 && !o.rungs.empty(); }

float roundedNumber(float value, const NumberOptions& o) {
  if (isExact(o)) return value;
  const float unit = std::pow(10.0f, static_cast<float>(o.decimals == 0 ? 0 : o.decimals + 1));
  return std::round(value * unit) / unit;
}

// So many steps up, or down where they are negative.
float steppedNumber(float value, int steps, const NumberOptions& o) {
  if (std::isnan(value)) return std::clamp(0.0f, o.low, o.high);
  if (o.rungs.empty()) return roundedNumber(value + static_cast<float>(steps) * o.step, o);
  const auto next = [&](float from) {
    const auto above = std::ranges::upper_bound(o.rungs, from);
    return above == o.rungs.end() ? from : *above;
  };
  const auto last = [&](float from) {
    const auto at = std::ranges::lower_bound(o.rungs, from);
    return at == o.rungs.begin() ? from : *std::prev(at);
  };
  for (; steps > 0; --steps) value = next(value);
  for (; steps < 0; ++steps) value = last(value);
  return value;
}

std::optional<float> numberTyped(std::string text, const NumberOptions& o) {
  if (*o.atLow && text == o.atLow) return o.low;
  std::erase(text, ' ');
  std::ranges::replace(text, ',', '.');
  float value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  const float slack = isExact(o) ? 0 : 1e-6f;
  if (!whole || !(value >= o.low - slack && value <= o.high + slack)) return std::nullopt;
  if (o.decimals == 0 && value != std::round(value)) return std::nullopt;
  return roundedNumber(value, o);
}

std::string limitText(float limit, const NumberOptions& o) {
  return isExact(o) ? shortestText(limit) : formattedFixed(limit, o.decimals);
}

std::string refusalOf(const NumberOptions& o) {
  return std::string(o.decimals == 0 ? "a whole number" : "a number") + " from " + limitText(o.low, o) +
         " to " + limitText(o.high, o);
}

// As many steps as the button asks for in this frame: one for a click, more the longer it is held.
int buttonSteps(Ui& ui, const std::string& field, const std::string& label, const Box& box, const char* sign,
                bool enabled, const std::string& tip) {
  const bool clicked = button(ui, label.c_str(), box, {.enabled = enabled, .icon = sign, .tip = tip});
  if (ImGui::IsItemActivated()) return ui.numbers.step(field), 1;
  if (ImGui::IsItemActive()) {
    ui.animating = true;
    const ImGuiIO& io = ImGui::GetIO();
    return stepsHeld(io.MouseDownDuration[0]) - stepsHeld(io.MouseDownDurationPrev[0]);
  }
  if (!clicked || ImGui::IsItemDeactivated()) return 0;
  return ui.numbers.step(field), 1;  // by keyboard
}

// By how many steps the pointer dragged the number in this frame.
int dragSteps(const Ui& ui, const NumberOptions& o) {
  if (!ImGui::IsItemActive() || !ImGui::IsMouseDragPastThreshold(0)) return 0;
  const ImGuiIO& io = ImGui::GetIO();
  const float count = o.rungs.empty() ? (o.high - o.low) / o.step : static_cast<float>(o.rungs.size());
  const float width = std::clamp(dragOfWholeRange / count, 1.0f, 8.0f) * ui.scale;  // of a step
  const float now = io.MousePos.x - io.MouseClickedPos[0].x;
  return static_cast<int>(std::trunc(now / width) - std::trunc((now - io.MouseDelta.x) / width));
}

int wheelSteps(Ui& ui) {
  NumberEntry& entry = ui.numbers;
  const float turned = ImGui::GetIO().MouseWheel;
  if (turned == 0) return 0;
  if (ui.seconds - entry.wheeledAt > wheelGestureSeconds) ++entry.gesture, entry.wheel = 0;
  entry.wheeledAt = ui.seconds;
  entry.wheel += turned;
  const float whole = std::trunc(entry.wheel);
  entry.wheel -= whole;
  return static_cast<int>(whole);
}

void beginTyping(Ui& ui, const std::string& name, float value, const NumberOptions& o) {
  NumberEntry& entry = ui.numbers;
  entry.field = name, entry.typed = numberText(value, o);
  entry.hasKeyboard = false, entry.byKeyboard = ui.focus.name() == name;
  entry.refused.clear();
  ui.focus.put(name);  // Tab goes on from here
  ui.animating = true;
}

void endTyping(Ui& ui, bool entered) {
  if (entered && !ui.numbers.byKeyboard) ui.focus.clear();
  ui.numbers.field.clear();
  ui.animating = true;
}

float typedNumber(Ui& ui, const char* label, const Box& box, float value, const NumberOptions& o) {
  NumberEntry& entry = ui.numbers;
  if (!entry.hasKeyboard) ImGui::SetKeyboardFocusHere(), ui.animating = true;
  if (textEntry(ui, label, box, entry.typed, FontFace::Mono, true, ImGuiInputTextFlags_AutoSelectAll))
    entry.refused.clear();
  ui.typing = true;
  if (ImGui::IsItemActive()) entry.hasKeyboard = true;
  if (!ImGui::IsItemDeactivated()) return value;
  const bool entered = ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter);
  if (ImGui::IsKeyPressed(ImGuiKey_Escape)) return endTyping(ui, false), value;
  const std::optional<float> number = numberTyped(entry.typed, o);
  if (!number) {
    entry.refused = entry.field, entry.why = refusalOf(o), entry.refusedAt = ui.seconds;
    entry.hasKeyboard = false;  // to be mended
    if (!entered) endTyping(ui, false);
    return value;
  }
  ++entry.gesture;
  endTyping(ui, entered);
  return *number;
}

// The number while it is not being typed: dragged, turned, or clicked to be.
float restingNumber(Ui& ui, const char* label, const Box& box, float value, const NumberOptions& o) {
  const std::string name = focusName(label);
  const bool marked = ui.focus.stop(name);
  const bool clicked = hotArea(ui, label, box);
  if (ImGui::IsItemActivated()) ++ui.numbers.gesture;
  const bool hovered = ImGui::IsItemHovered(), held = ImGui::IsItemActive();
  const int steps = dragSteps(ui, o) + (hovered ? wheelSteps(ui) : 0);
  const ImGuiIO& io = ImGui::GetIO();
  const bool dragged = io.MouseDragMaxDistanceSqr[0] > io.MouseDragThreshold * io.MouseDragThreshold;
  nameLastItem(label);
  if (hovered || held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (marked) focusMark(ui, box);
  ui.drawText(box.center(), numberText(value, o), ui.theme.mono(), Align::Middle);
  if (hovered && !held && ui.numbers.refused != name)
    tooltip(ui, o.tip.empty() ? "click to type, drag or turn the wheel" : o.tip);
  if ((clicked && !dragged) || (marked && ui.focus.activated())) beginTyping(ui, name, value, o);
  return steps == 0 ? value : steppedNumber(value, steps, o);
}

// Below the field, for a while; it goes as soon as something else is typed.
void showRefusal(Ui& ui, const std::string& name, const Box& field) {
  NumberEntry& entry = ui.numbers;
  if (entry.refused != name) return;
  if (ui.seconds - entry.refusedAt > refusalSeconds) return entry.refused.clear();
  ui.animating = true;
  const TextStyle style{FontFace::Ui, Theme::small, ui.theme.broken};
  const float width = ui.metrics().width(entry.why, style.face, style.size) + 20;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const bool below = field.bottom() + 34 < display.y / ui.scale;
  const Box box{std::clamp(field.x, 4.0f, std::max(4.0f, display.x / ui.scale - width - 4)),
                below ? field.bottom() + 4 : field.y - 32, width, 28};
  ImDrawList* list = ImGui::GetForegroundDrawList();
  const Placement at{{0, 0}, ui.scale};
  ui.painter.paint(list, Rect{box, ui.theme.raised, ui.theme.broken, Theme::radius, 1}, at);
  ui.painter.paint(list, Text{box.center(), entry.why, style, Align::Middle}, at);
}

std::string fieldLabel(const char* name) { return std::string("number##") + name; }

}  // namespace

void refuse(Ui& ui, const char* name, std::string why) {
  ui.numbers.refused = focusName(fieldLabel(name).c_str());
  ui.numbers.why = std::move(why), ui.numbers.refusedAt = ui.seconds;
}

int stepsHeld(float seconds) {
  constexpr float delay = 0.35f, perSecond = 8, faster = 20;
  if (seconds < 0) return 0;
  const float held = std::max(0.0f, seconds - delay);
  return 1 + static_cast<int>(perSecond * held + faster * held * held);
}

std::string numberText(float value, const NumberOptions& o) {
  if (std::isnan(value)) return "";
  if (*o.atLow && value <= o.low) return o.atLow;
  if (isExact(o)) return shortestText(value);
  const float unit = std::pow(10.0f, static_cast<float>(o.decimals));
  const bool more = o.decimals > 0 && std::abs(std::round(value * unit) - value * unit) > 1e-3f * unit;
  return formattedFixed(value, o.decimals + (more ? 1 : 0));
}

float numberField(Ui& ui, const char* name, const Box& box, float value, const NumberOptions& o) {
  const std::string less = std::string("less##") + name, more = std::string("more##") + name,
                    label = fieldLabel(name);
  Box rest = box;
  Box control = rest.takeRight(o.width);
  const std::string words(std::string_view(name).substr(0, std::string_view(name).find("##")));
  ui.drawText({rest.x, rest.center().y}, words, ui.theme.note(), Align::Start, rest.width - 4);
  const std::string field = focusName(label.c_str());
  if (ui.numbers.asked == name) ui.numbers.asked.clear(), beginTyping(ui, field, value, o);
  showRefusal(ui, field, control);
  if (ui.numbers.field == field)
    return std::clamp(typedNumber(ui, label.c_str(), control, value, o), o.low, o.high);
  ui.draw(Rect{control, ui.theme.raised, ui.theme.line, Theme::radius, 1});
  const float before = value;
  const float slack = isExact(o) ? 0 : 1e-6f;
  const int down =
      buttonSteps(ui, field, less, control.takeLeft(stepButtonWidth), "−", !(value <= o.low + slack), o.tip);
  const Box plus = control.takeRight(stepButtonWidth);
  value = restingNumber(ui, label.c_str(), control, value, o);
  const int up = buttonSteps(ui, field, more, plus, "+", !(value >= o.high - slack), o.tip);
  if (up != down) value = steppedNumber(value, up - down, o);
  return value == before ? value : std::clamp(roundedNumber(value, o), o.low, o.high);
}

}  // namespace glassformer::widgets
