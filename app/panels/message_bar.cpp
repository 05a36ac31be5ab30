#include "app/panels/message_bar.h"

#include <algorithm>

#include "app/panels/widgets.h"
#include "app/scene/text_metrics.h"
#include "imgui_internal.h"

namespace glassformer {

bool drawMessage(Ui& ui, Point window, const std::string& text, bool dismissable) {
  constexpr float buttons = 112, lineHeight = 20;
  constexpr int mostLines = 6;
  const TextStyle style = ui.theme.plain();
  const float most = window.x - 64 - 40 - buttons;
  const std::vector<std::string> lines = wrapped(ui.metrics(), text, style.face, style.size, most, mostLines);
  float width = 0;
  for (const std::string& line : lines)
    width = std::max(width, ui.metrics().width(line, style.face, style.size));
  width = std::min(width, most) + 40 + buttons;
  const float height = 20 + lineHeight * static_cast<float>(lines.size());
  const Box box{(window.x - width) / 2, window.y - 24 - height, width, height};
  const Box around = box.inset(-2);
  ImGui::SetNextWindowPos(ui.screen({around.x, around.y}));
  ImGui::SetNextWindowSize({around.width * ui.scale, around.height * ui.scale});
  ImGui::Begin("Message", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  // Above all panels, but without the focus, which would take what is pressed elsewhere away.
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  ui.draw(Rect{box, ui.theme.raised, ui.theme.broken.faded(0.7f), Theme::radius, 1});
  float y = box.y + 10 + lineHeight / 2;
  for (const std::string& line : lines) {
    ui.drawText({box.x + 16, y}, line, style, Align::Start, box.width - 40 - buttons);
    y += lineHeight;
  }
  if (widgets::button(ui, "Copy##message", {box.right() - buttons + 4, box.y + 4, 64, 32},
                      {.look = widgets::Look::Raised, .tip = "copy this message"}))
    ImGui::SetClipboardText(text.c_str());
  const bool dismissed =
      dismissable && widgets::button(ui, "Dismiss", {box.right() - 36, box.y + 4, 32, 32}, {.icon = "✕"});
  ImGui::End();
  return dismissed;
}

}  // namespace glassformer
