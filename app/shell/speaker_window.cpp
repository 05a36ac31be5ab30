#include "app/shell/speaker_window.h"

#include <algorithm>
#include <cfloat>

#include "app/shell/drawn_frame.h"
#include "app/shell/style.h"
#include "imgui.h"
#include "imgui_internal.h"

namespace glassformer {

namespace {

// Keys and letters; of modifiers, what is held down.
void passOnKeys(const ImGuiIO& from, ImGuiIO& to) {
  for (int i = ImGuiKey_NamedKey_BEGIN; i < ImGuiKey_NamedKey_END; ++i) {
    const auto key = static_cast<ImGuiKey>(i);
    if (ImGui::IsMouseKey(key)) continue;
    if (ImGui::IsKeyPressed(key, false)) to.AddKeyEvent(key, true);
    if (ImGui::IsKeyReleased(key)) to.AddKeyEvent(key, false);
  }
  const std::pair<ImGuiKey, bool> modifiers[] = {
      {ImGuiMod_Ctrl, from.KeyCtrl}, {ImGuiMod_Shift, from.KeyShift}, {ImGuiMod_Alt, from.KeyAlt}};
  for (const auto& [modifier, down] : modifiers) to.AddKeyEvent(modifier, down);
  for (const ImWchar letter : from.InputQueueCharacters) to.AddInputCharacter(letter);
}

}  // namespace

SpeakerWindow::SpeakerWindow(std::unique_ptr<Surface> surface)
    : surface_(std::move(surface)), imgui_(*surface_), painter_(fonts_, heatmaps_) {}

void SpeakerWindow::frame(Ui& ui, const RoomShown& room, bool rendered) {
  imgui_.use();
  applyStyle(ui.theme, ui.scale);
  imgui_.newFrame();
  painter_.beginFrame(ui.theme);
  focus_.beginFrame();
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  panel_.show(ui, {0, 0, display.x / ui.scale, display.y / ui.scale}, room);
  passOn(ui, room);
  numbers_.endFrame();
  ImGui::Render();
  hover_ = ui.nextHover;
  if (!rendered) return;
  drawFrame(surface_->framebuffer(), surface_->pixels(), ui.theme.ground);
  surface_->present();
}

// What is done to the room's picture is done to the instrument.
void SpeakerWindow::passOn(const Ui& ui, const RoomShown& room) {
  const ImGuiIO& from = ImGui::GetIO();
  ImGuiIO& to = room.context->IO;
  if (to.AppFocusLost && !from.AppFocusLost) to.AddFocusEvent(true);
  passOnKeys(from, to);

  const Box& picture = panel_.picture();
  const Point at = ui.pointer();
  const bool isInside = picture.contains(at) || std::ranges::find(held_, true) != held_.end();
  if (isInside)
    to.AddMousePosEvent((at.x - picture.x) / picture.width * to.DisplaySize.x,
                        (at.y - picture.y) / picture.height * to.DisplaySize.y);
  else if (isInside_)
    to.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
  isInside_ = isInside;
  for (int button = 0; button < static_cast<int>(held_.size()); ++button) {
    bool& held = held_[static_cast<std::size_t>(button)];
    const bool presses = ImGui::IsMouseClicked(button) && picture.contains(at);
    if (presses == held && !ImGui::IsMouseReleased(button)) continue;
    if (presses && !held) to.AddMouseButtonEvent(button, held = true);
    if (held && ImGui::IsMouseReleased(button)) to.AddMouseButtonEvent(button, held = false);
  }
  if (isInside && (from.MouseWheel != 0 || from.MouseWheelH != 0))
    to.AddMouseWheelEvent(from.MouseWheelH, from.MouseWheel);
}

}  // namespace glassformer
