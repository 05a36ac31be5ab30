#include "app/toolkit/item_log.h"

#include "imgui_internal.h"

namespace glassformer {

void attachItemLog(ImGuiContext* context, ItemLog* log) {
  context->TestEngine = log;
  context->TestEngineHookItems = log != nullptr;
}

void nameLastItem(const char* label, bool checked) {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  [[maybe_unused]] const ImGuiItemStatusFlags flags =
      g.LastItemData.StatusFlags | (checked ? ImGuiItemStatusFlags_Checked : 0);
  IMGUI_TEST_ENGINE_ITEM_INFO(g.LastItemData.ID, label, flags);
}

void logRegion(const char* label, ImVec2 min, ImVec2 max, const char* pane) {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  if (!g.TestEngineHookItems) return;
  const ImGuiID id = ImHashStr(label, 0, g.CurrentWindow->GetID(pane));
  IMGUI_TEST_ENGINE_ITEM_ADD(id, ImRect(min, max), nullptr);
  IMGUI_TEST_ENGINE_ITEM_INFO(id, label, 0);
  static_cast<ItemLog*>(g.TestEngine)->items[id].pane = pane;
}

}  // namespace glassformer

// The four functions that Dear ImGui calls where it is built with IMGUI_ENABLE_TEST_ENGINE.

void ImGuiTestEngineHook_ItemAdd(ImGuiContext* context, ImGuiID id, const ImRect& box,
                                 const ImGuiLastItemData* data) {
  auto& item = static_cast<glassformer::ItemLog*>(context->TestEngine)->items[id];
  const ImGuiWindow* window = context->CurrentWindow;
  item.id = id;
  item.min = box.Min, item.max = box.Max;
  item.clipMin = window->ClipRect.Min, item.clipMax = window->ClipRect.Max;
  if (item.named != context->FrameCount) {
    item.label.clear();
    item.checked = item.isWindow = false;
  }
  item.window = window->Name;
  item.frame = context->FrameCount;
  item.isRegion = !data;
  item.disabled = data && (data->ItemFlags & ImGuiItemFlags_Disabled);
}

void ImGuiTestEngineHook_ItemInfo(ImGuiContext* context, ImGuiID id, const char* label,
                                  ImGuiItemStatusFlags flags) {
  auto& item = static_cast<glassformer::ItemLog*>(context->TestEngine)->items[id];
  item.named = context->FrameCount;
  item.label = label ? label : "";
  item.isWindow = context->CurrentWindow && context->CurrentWindow->ID == id;
  item.checked = flags & ImGuiItemStatusFlags_Checked;
}

void ImGuiTestEngineHook_Log(ImGuiContext*, const char*, ...) {}

const char* ImGuiTestEngine_FindItemDebugLabel(ImGuiContext* context, ImGuiID id) {
  const auto* log = static_cast<glassformer::ItemLog*>(context->TestEngine);
  if (!log) return nullptr;
  const auto found = log->items.find(id);
  return found == log->items.end() ? nullptr : found->second.label.c_str();
}
