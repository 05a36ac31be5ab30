#include "app/panels/text_entry.h"

#include "app/panels/widgets.h"
#include "app/toolkit/item_log.h"
#include "imgui_internal.h"

namespace glassformer::widgets {

namespace {

int grow(ImGuiInputTextCallbackData* data) {
  if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
    auto& text = *static_cast<std::string*>(data->UserData);
    text.resize(static_cast<std::size_t>(data->BufTextLen));
    data->Buf = text.data();
  }
  return 0;
}

}  // namespace

bool textEntry(Ui& ui, const char* label, const Box& box, std::string& text, FontFace face, bool enabled,
               ImGuiInputTextFlags flags) {
  const float line = ui.fonts.lineHeight(face, Theme::small * ui.scale);
  ImGui::PushFont(ui.fonts.font(face), line);
  const float margin = std::max(0.0f, (box.height * ui.scale - line) / 2);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {10 * ui.scale, margin});
  const Rgba selected = ui.theme.accent.faded(0.4f);
  ImGui::PushStyleColor(ImGuiCol_TextSelectedBg, IM_COL32(selected.r, selected.g, selected.b, selected.a));
  const bool marked = enabled && ui.focus.stop(focusName(label));
  const ImGuiID id = ImGui::GetID((std::string("##") + label).c_str());
  const bool active = ImGui::GetActiveID() == id;
  ui.draw(Rect{box, ui.theme.ground, active ? ui.theme.accent : ui.theme.line, Theme::radius, 1});
  ImGui::SetCursorScreenPos(ui.screen({box.x, box.y}));
  ImGui::SetNextItemWidth((box.width - 8) * ui.scale);  // long text ends before the frame does
  if (marked && !active) ImGui::SetKeyboardFocusHere();
  if (active && !marked && ui.focus.active()) ImGui::ClearActiveID();  // Tab went on
  ImGui::BeginDisabled(!enabled);
  const bool changed = ImGui::InputText((std::string("##") + label).c_str(), text.data(), text.capacity() + 1,
                                        flags | ImGuiInputTextFlags_CallbackResize, grow, &text);
  nameLastItem(label, active);
  ui.typing |= ImGui::IsItemActive();
  ImGui::EndDisabled();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  ImGui::PopFont();
  return changed;
}

}  // namespace glassformer::widgets
