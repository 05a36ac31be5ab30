#include "app/panels/panel.h"

#include "imgui_internal.h"

namespace glassformer {

void Panel::draw(Ui& ui, const Box& where, bool above) {
  if (where.width < 1 || where.height < 1) return;
  ImGui::SetNextWindowPos(ui.screen({where.x, where.y}));
  ImGui::SetNextWindowSize({where.width * ui.scale, where.height * ui.scale});
  const Rgba ground = background(ui.theme);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, IM_COL32(ground.r, ground.g, ground.b, ground.a));
  constexpr ImGuiWindowFlags fixed =
      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
      ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse;
  ImGui::Begin(name_.c_str(), nullptr, fixed);
  if (above) ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  ImGui::PopStyleColor();
  content(ui, where);
  ImGui::End();
}

}  // namespace glassformer
