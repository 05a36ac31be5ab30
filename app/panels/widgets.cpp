#include "app/panels/widgets.h"

#include <algorithm>
#include <cmath>

#include "app/scene/text_metrics.h"
#include "app/toolkit/item_log.h"
#include "imgui_internal.h"

namespace glassformer::widgets {

bool hotArea(const Ui& ui, const char* label, const Box& box) {
  ImGui::SetCursorScreenPos(ui.screen({box.x, box.y}));
  return ImGui::InvisibleButton(
      label, {std::max(box.width * ui.scale, 1.0f), std::max(box.height * ui.scale, 1.0f)});
}

namespace {

std::string shown(const char* label) {
  const std::string_view text = label;
  return std::string(text.substr(0, text.find("##")));
}

// The part every control shares: its rectangle, the pointer, its name.
struct Pressed {
  bool clicked, hovered, held;
};
Pressed area(Ui& ui, const char* label, const Box& box, bool enabled, bool on) {
  const bool marked = enabled && ui.focus.stop(focusName(label));
  ImGui::BeginDisabled(!enabled);
  const bool hit = hotArea(ui, label, box);
  const bool clicked = hit || (marked && ui.focus.activated());
  if (marked) focusMark(ui, box);
  const Pressed pressed{clicked, ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled),
                        ImGui::IsItemActive()};
  nameLastItem(label, on);
  ImGui::EndDisabled();
  return pressed;
}

// Whoever clicks has read the tip, which would cover what the click brings: until the pointer comes again.
// What is chosen already brings nothing.
bool wantsTip(const Pressed& pressed, const ButtonOptions& o) {
  ImGuiStorage* storage = ImGui::GetStateStorage();
  const ImGuiID wasRead = ImGui::GetItemID();
  const bool brings = pressed.clicked && !o.on;
  if (brings || (!pressed.hovered && storage->GetBool(wasRead))) storage->SetBool(wasRead, brings);
  return pressed.hovered && (!o.enabled || !storage->GetBool(wasRead));
}

Rgba fillOf(const Theme& theme, const ButtonOptions& o, const Pressed& p) {
  if (o.look == Look::Primary && !o.enabled) return theme.raised;
  if (o.look == Look::Primary)
    return p.held      ? mix(theme.accent, theme.ground, 0.2f)
           : p.hovered ? mix(theme.accent, theme.text, 0.15f)
                       : theme.accent;
  if (o.on) return theme.accent.faded(p.hovered ? 0.26f : 0.18f);
  if (p.held) return theme.touched;
  if (p.hovered) return mix(theme.raised, theme.touched, 0.5f);
  return o.look == Look::Raised ? theme.raised : Rgba{0, 0, 0, 0};
}

}  // namespace

std::string focusName(const char* label) {
  return std::string(ImGui::GetCurrentWindowRead()->Name) + "/" + label;
}

void focusMark(const Ui& ui, const Box& box) {
  ImDrawList* list = ImGui::GetForegroundDrawList();
  ui.painter.paint(list, Rect{box.inset(-2), {0, 0, 0, 0}, ui.theme.accent, Theme::radius + 2, 2},
                   {{0, 0}, ui.scale});
}

bool button(Ui& ui, const char* label, const Box& box, const ButtonOptions& o) {
  const Pressed pressed = area(ui, label, box, o.enabled, o.on);
  const Theme& theme = ui.theme;
  const Rgba fill = fillOf(theme, o, o.enabled ? pressed : Pressed{});
  ui.draw(Rect{box, fill, o.look == Look::Raised ? theme.line : Rgba{0, 0, 0, 0}, Theme::radius, 1});
  Rgba ink = o.look == Look::Primary ? theme.onAccent : o.on || pressed.hovered ? theme.text : theme.quiet;
  if (o.look == Look::Raised) ink = theme.text;
  if (!o.enabled) ink = theme.quiet.faded(0.45f);
  const std::string text = o.icon ? o.icon : shown(label);
  const bool strong = o.on && !o.icon;
  ui.drawText(box.center(), text,
              {strong ? FontFace::Strong : FontFace::Ui, o.icon ? Theme::body : Theme::small, ink},
              Align::Middle, box.width - 8);
  if (!o.tip.empty() && wantsTip(pressed, o)) tooltip(ui, o.tip);
  return pressed.clicked;
}

bool isCutOff(const Ui& ui, const Box& box) {
  const float edge = ImGui::GetWindowDrawList()->GetClipRectMax().y;
  return ui.screen({box.x, box.y}).y < edge && ui.screen({box.x, box.bottom()}).y > edge;
}

float buttonWidth(const Ui& ui, const char* label) {
  return std::ceil((ui.metrics().width(shown(label), FontFace::Strong, Theme::small) + 28) / 4) * 4;
}

int labelStepper(Ui& ui, const char* name, const Box& box, const std::vector<std::string>& labels, int chosen,
                 const std::string& tip, float width) {
  const Theme& theme = ui.theme;
  const std::string less = std::string("less##") + name, more = std::string("more##") + name;
  const int last = static_cast<int>(labels.size()) - 1;
  int now = std::clamp(chosen, 0, last);
  Box rest = box;
  Box control = rest.takeRight(width);
  ui.drawText({rest.x, rest.center().y}, shown(name), theme.note(), Align::Start, rest.width - 4);
  ui.draw(Rect{control, theme.raised, theme.line, Theme::radius, 1});
  const std::string& label = labels[static_cast<std::size_t>(now)];
  if (button(ui, less.c_str(), control.takeLeft(30), {.enabled = now > 0, .icon = "−", .tip = tip})) --now;
  if (button(ui, more.c_str(), control.takeRight(30), {.enabled = now < last, .icon = "+", .tip = tip}))
    ++now;
  ui.drawText(control.center(), label, theme.mono(), Align::Middle);
  return now;
}

float splitter(Ui& ui, const char* name, const Box& box, bool vertical) {
  const Pressed pressed = area(ui, name, box, true, false);
  if (pressed.hovered || pressed.held) {
    ImGui::SetMouseCursor(vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    const Box line = vertical ? Box{box.center().x - 1, box.y, 2, box.height}
                              : Box{box.x, box.center().y - 1, box.width, 2};
    ui.draw(Rect{line, ui.theme.accent, {0, 0, 0, 0}, 0, 1});
  }
  if (!pressed.held) return 0;
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  return (vertical ? moved.x : moved.y) / ui.scale;
}

void tooltip(Ui& ui, const std::vector<std::pair<std::string, TextStyle>>& lines) {
  constexpr float most = 480;
  constexpr int mostRows = 8;  // of each line
  const ScreenMetrics metrics = ui.metrics();
  std::vector<std::pair<std::string, TextStyle>> rows;
  for (const auto& [text, style] : lines)
    for (std::string& row : wrapped(metrics, text, style.face, style.size, most, mostRows))
      rows.emplace_back(std::move(row), style);
  float width = 24, height = 16;
  for (const auto& [text, style] : rows) {
    width = std::max(width, 24 + std::min(metrics.width(text, style.face, style.size), most));
    height += style.size + 7;
  }
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const Point pointer = ui.pointer();
  Box box{pointer.x + 14, pointer.y + 18, width, height};
  if (box.right() > display.x / ui.scale - 8) box.x = std::max(8.0f, pointer.x - 10 - width);
  if (box.bottom() > display.y / ui.scale - 8) box.y = std::max(8.0f, pointer.y - 10 - height);
  ImDrawList* list = ImGui::GetForegroundDrawList();
  const Placement at{{0, 0}, ui.scale};
  ui.painter.paint(
      list,
      Rect{
          {box.x, box.y + 2, box.width, box.height}, rgb(0).faded(0.25f), {0, 0, 0, 0}, Theme::radius + 1, 1},
      at);
  ui.painter.paint(list, Rect{box, ui.theme.raised, ui.theme.line, Theme::radius, 1}, at);
  float y = box.y + 8;
  for (const auto& [text, style] : rows) {
    ui.painter.paint(list,
                     Text{{box.x + 12, y + (style.size + 7) / 2},
                          text,
                          style,
                          Align::Start,
                          Align::Middle,
                          most,
                          false,
                          {}},
                     at);
    y += style.size + 7;
  }
}

void tooltip(Ui& ui, const std::string& text) { tooltip(ui, {{text, ui.theme.plain()}}); }

bool listRow(Ui& ui, const std::string& label, const Box& box, bool chosen) {
  const Pressed pressed = area(ui, label.c_str(), box, true, chosen);
  const Rgba ground = chosen            ? ui.theme.accent.faded(0.18f)
                      : pressed.hovered ? ui.theme.raised
                                        : Rgba{0, 0, 0, 0};
  ui.draw(Rect{box, ground, {0, 0, 0, 0}, Theme::radius, 1});
  return pressed.clicked;
}

int chosenByKeys(int chosen, int count) {
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key, true); };
  if (pressed(ImGuiKey_DownArrow)) ++chosen;
  if (pressed(ImGuiKey_UpArrow)) --chosen;
  if (pressed(ImGuiKey_Home)) chosen = 0;
  if (pressed(ImGuiKey_End)) chosen = count - 1;
  return std::clamp(chosen, 0, std::max(0, count - 1));
}

void paragraph(Ui& ui, Box& rest, const std::string& text, TextStyle style, float after) {
  const float height = style.size + 6;
  for (const std::string& line : wrapped(ui.metrics(), text, style.face, style.size, rest.width)) {
    if (rest.height < height) return;
    const Box row = rest.takeTop(height);
    ui.drawText({row.x, row.center().y}, line, style);
  }
  rest.takeTop(after);
}

void heading(Ui& ui, Point at, const std::string& text) {
  ui.drawText(at, text, {FontFace::Strong, Theme::small, ui.theme.quiet});
}

}  // namespace glassformer::widgets
