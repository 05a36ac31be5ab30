#include "app/panels/message_bar.h"

#include <algorithm>

#include "app/panels/widgets.h"
#include "imgui_internal.h"

namespace glassformer {

bool drawMessage(Ui& ui, Point window, const std::string& text, bool dismissable) {
  constexpr float buttons = 112;
  const float width =
      std::min(window.x - 64, ui.metrics().width(text, FontFace::Ui, Theme::small) + 40 + buttons);
  const Box box{(window.x - width) / 2, window.y - 64, width, 40};
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
  ui.drawText({box.x + 16, box.center().y}, text, ui.theme.plain(), Align::Start, box.width - 40 - buttons);
  if (widgets::button(ui, "Copy##message", {box.right() - buttons + 4, box.y + 4, 64, 32},
                      {.look = widgets::Look::Raised, .tip = "copy this message"}))
    ImGui::SetClipboardText(text.c_str());
  const bool dismissed =
      dismissable && widgets::button(ui, "Dismiss", {box.right() - 36, box.y + 4, 32, 32}, {.icon = "✕"});
  ImGui::End();
  return dismissed;
}

}  // namespace glassformer
