#include "app/panels/overlay.h"

#include <algorithm>
#include <utility>

#include "app/panels/widgets.h"
#include "app/toolkit/item_log.h"
#include "imgui_internal.h"

namespace glassformer {

void Overlay::open() {
  open_ = true;
  frames_ = 0;
  reset();
}

void Overlay::show(Ui& ui, Point window, bool closes) {
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
  drawShrunk(ui, window);
  ui.focus.enclose(false);
  ++frames_;
  if (beside || (closes && !ui.typesNumber && ImGui::IsKeyPressed(ImGuiKey_Escape, false))) close();
}

void Overlay::drawShrunk(Ui& ui, Point window) {
  const Point least = leastWindow();
  shrunk_ = 1;
  if (least.x > 0) shrunk_ = std::min({1.0f, window.x / least.x, window.y / least.y});
  const float scale = std::exchange(ui.scale, ui.scale * shrunk_);
  draw(ui, place(ui, {window.x / shrunk_, window.y / shrunk_}), true);
  ui.scale = scale;
}

}  // namespace glassformer
