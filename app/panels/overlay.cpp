#include "app/panels/overlay.h"

#include "app/panels/widgets.h"
#include "app/toolkit/item_log.h"
#include "imgui_internal.h"

namespace glassformer {

void Overlay::open() {
  open_ = true;
  frames_ = 0;
  reset();
}

void Overlay::show(Ui& ui, Point window) {
  if (!open_) return;
  ui.typing = ui.isCovered = true;  // shortcuts of the panels below keep off
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ui.screen(window));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, IM_COL32(0, 0, 0, !veils() ? 0 : ui.theme.dark ? 120 : 70));
  const std::string veil = "Beside " + name();
  ImGui::Begin(veil.c_str(), nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoNav);
  ImGui::PopStyleColor();
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  const bool beside = widgets::hotArea(ui, "Outside", {0, 0, window.x, window.y});
  nameLastItem("Outside");
  ImGui::End();
  ui.focus.enclose(true);
  const Box where = place(ui, window);
  draw(ui, where, true);
  ui.focus.enclose(false);
  ++frames_;
  if (beside || (!ui.typesNumber && ImGui::IsKeyPressed(ImGuiKey_Escape, false))) close();
}

}  // namespace glassformer
