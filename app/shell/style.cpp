#include "app/shell/style.h"

#include "imgui.h"

namespace glassformer {

namespace {
ImVec4 color(Rgba c, float alpha = 1) {
  return {static_cast<float>(c.r) / 255, static_cast<float>(c.g) / 255, static_cast<float>(c.b) / 255,
          alpha * static_cast<float>(c.a) / 255};
}
}  // namespace

void applyStyle(const Theme& theme, float scale) {
  ImGuiStyle& style = ImGui::GetStyle();
  style.WindowPadding = {0, 0};
  style.WindowBorderSize = style.ChildBorderSize = style.FrameBorderSize = 0;
  style.WindowRounding = style.ChildRounding = 0;
  style.PopupRounding = style.FrameRounding = Theme::radius * scale;
  style.WindowMinSize = {1, 1};
  style.ItemSpacing = {0, 0};
  style.ScrollbarSize = 10 * scale;
  style.ScrollbarRounding = 5 * scale;
  style.AntiAliasedLinesUseTex = true;
  const auto set = [&](int index, ImVec4 c) { style.Colors[index] = c; };
  for (ImVec4& c : style.Colors) c = color(theme.panel, 0);
  set(ImGuiCol_Text, color(theme.text));
  set(ImGuiCol_TextDisabled, color(theme.quiet));
  set(ImGuiCol_WindowBg, color(theme.panel));
  set(ImGuiCol_PopupBg, color(theme.raised));
  set(ImGuiCol_ScrollbarGrab, color(theme.line));
  set(ImGuiCol_ScrollbarGrabHovered, color(theme.quiet, 0.6f));
  set(ImGuiCol_ScrollbarGrabActive, color(theme.quiet));
}

}  // namespace glassformer
