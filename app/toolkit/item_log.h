#pragma once
#include <string>
#include <unordered_map>

#include "imgui.h"

namespace glassformer {

/// What Dear ImGui reported about one widget while it was laid out.
struct ItemRecord {
  ImGuiID id = 0;
  ImVec2 min, max;          ///< rectangle on screen
  ImVec2 clipMin, clipMax;  ///< what of its window can be seen
  std::string window, label;
  std::string pane;  ///< of a region: the picture it is a part of, where a window has several
  bool checked = false, disabled = false, isWindow = false;
  bool isRegion = false;  ///< a part of a picture
  int frame = -1;         ///< frame of the last rectangle
  int named = -1;         ///< frame of the last label; some widgets report it before their rectangle
};

/// Every widget seen so far, by id: how the tests find "the button called Undo". Costs one branch per widget
/// while no log is attached, so the same build serves people and tests.
struct ItemLog {
  std::unordered_map<ImGuiID, ItemRecord> items;
};

/// Starts recording into `log`, or stops with nullptr.
void attachItemLog(ImGuiContext* context, ItemLog* log);
/// Gives the last widget a name, for those that report none of their own (our own drawn buttons and
/// pictures).
void nameLastItem(const char* label, bool checked = false);
/// Records a part of a picture as if it were a widget of the current window; `pane` is the picture's name.
void logRegion(const char* label, ImVec2 min, ImVec2 max, const char* pane = "");

}  // namespace glassformer
