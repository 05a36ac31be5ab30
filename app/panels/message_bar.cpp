#include "app/panels/message_bar.h"

#include <algorithm>

#include "app/panels/widgets.h"
#include "app/scene/text_metrics.h"
#include "imgui_internal.h"

namespace glassformer {

namespace {

constexpr float messageButtons = 116, messageLineHeight = 20, messageMargin = 10;
constexpr int mostMessageLines = 6;

std::vector<std::string> linesOf(const Ui& ui, float width, const std::string& text) {
  const TextStyle style = ui.theme.plain();
  return wrapped(ui.metrics(), text, style.face, style.size, width - 32 - messageButtons, mostMessageLines);
}

}  // namespace

float messageHeight(const Ui& ui, float width, const Message& message) {
  if (message.text.empty()) return 0;
  return 2 * messageMargin + messageLineHeight * static_cast<float>(linesOf(ui, width, message.text).size());
}

bool drawMessage(Ui& ui, const Box& line, const Message& message) {
  ImGui::SetNextWindowPos(ui.screen({line.x, line.y}));
  ImGui::SetNextWindowSize({line.width * ui.scale, line.height * ui.scale});
  ImGui::Begin("Message", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  // Above all panels, but without the focus, which would take what is pressed elsewhere away.
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  ui.draw(Rect{line, ui.theme.raised, {0, 0, 0, 0}, 0, 1});
  ui.draw(Rect{{line.x, line.y, line.width, 1}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
  float y = line.y + messageMargin + messageLineHeight / 2;
  for (const std::string& words : linesOf(ui, line.width, message.text)) {
    ui.drawText({line.x + 16, y}, words, ui.theme.plain());
    y += messageLineHeight;
  }
  Box buttons{line.right() - messageButtons, line.y + 4, messageButtons - 8, 32};
  const bool dismissed =
      message.dismissable && widgets::button(ui, "Dismiss", buttons.takeRight(32), {.icon = "✕"});
  buttons.takeRight(4);
  if (widgets::button(ui, "Copy##message", buttons.takeRight(64),
                      {.look = widgets::Look::Raised, .tip = "copy this message"}))
    ImGui::SetClipboardText(message.text.c_str());
  ImGui::End();
  return dismissed || (message.until > 0 && ui.seconds > message.until);
}

}  // namespace glassformer
