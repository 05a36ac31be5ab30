#include "app/panels/key_map_panel.h"

#include <algorithm>

#include "app/panels/action.h"
#include "app/panels/widgets.h"
#include "app/toolkit/item_log.h"
#include "app/views/views.h"

namespace glassformer {

namespace {

constexpr float keyMapRowHeight = 26, keyMapHeadingHeight = 40, keyMapColumnWidth = 352, keyMapMargin = 32,
                keyMapTitleHeight = 48;

struct Group {
  std::string name;
  std::vector<std::pair<std::string, std::string>> rows;  // what it does, its key
  float height() const { return keyMapHeadingHeight + static_cast<float>(rows.size()) * keyMapRowHeight; }
};

std::string allKeys(const Action& action) {
  std::string keys = keyText(action);
  for (const ImGuiKeyChord other : {action.key, action.otherKey})
    if (const std::string text = keyText(other);
        !text.empty() && text != keys && text.find("Keypad") == std::string::npos)  // it goes without saying
      keys += " or " + text;
  return keys;
}

std::vector<Group> groups() {
  std::vector<Group> all{{"Views", {}}};
  for (std::size_t i = 0; i < std::min<std::size_t>(views().size(), keysOfViews); ++i)
    all.front().rows.emplace_back(views()[i].title, viewKey(static_cast<int>(i)));
  for (const Action& action : actions()) {
    if (keyText(action).empty()) continue;
    if (all.back().name != action.group) all.push_back({action.group, {}});
    all.back().rows.emplace_back(action.title, allKeys(action));
  }
  all.push_back({"Controls",
                 {{"To the next or previous control", "Tab, Shift Tab"},
                  {"Use the control with the mark", "Enter or Space"},
                  {"Move inside a picture with the mark", "← → ↑ ↓"},
                  {"Drag a number", "Alt, drag up or down"},
                  {"Letters as keys, not as text", "Click a picture"},
                  {"Deselect a text or token, close a panel", "Esc"}}});
  return all;
}

// The groups in columns of nearly equal height, in their order.
std::vector<std::vector<Group>> columns(int count) {
  float total = 0;
  for (const Group& group : groups()) total += group.height();
  std::vector<std::vector<Group>> result(1);
  float height = 0;
  for (Group& group : groups()) {
    const float after = height + group.height();
    const float even = total / static_cast<float>(count);
    if (height > 0 && after - even > even - height && static_cast<int>(result.size()) < count)
      result.emplace_back(), height = 0;
    height += group.height();
    result.back().push_back(std::move(group));
  }
  return result;
}

int columnCount(Point window) {
  return std::clamp(static_cast<int>((window.x - 2 * keyMapMargin - 16) / keyMapColumnWidth), 1, 3);
}

float tallest(const std::vector<std::vector<Group>>& all) {
  float most = 0;
  for (const auto& column : all) {
    float height = 0;
    for (const Group& group : column) height += group.height();
    most = std::max(most, height);
  }
  return most;
}

}  // namespace

Box KeyMapPanel::place(const Ui&, Point window) const {
  const int count = columnCount(window);
  const float width =
      std::min(static_cast<float>(count) * keyMapColumnWidth + 2 * keyMapMargin, window.x - 16);
  const float height =
      std::min(tallest(columns(count)) + keyMapTitleHeight + 2 * keyMapMargin, window.y - 16);
  return {(window.x - width) / 2, (window.y - height) / 2, width, height};
}

void KeyMapPanel::content(Ui& ui, const Box& area) {
  const Theme& theme = ui.theme;
  ui.draw(Rect{area, theme.panel, theme.line, 0, 1});
  const Box closeBox{area.right() - 40, area.y + 8, 32, 32};
  Box rest = area.inset(keyMapMargin, 24);
  const Box title = rest.takeTop(keyMapTitleHeight);
  ui.drawText({title.x, title.y + 12}, "Keyboard shortcuts", {FontFace::Strong, Theme::title, theme.text});
  const int count = std::max(1, static_cast<int>((rest.width + 16) / keyMapColumnWidth));
  const auto all = columns(count);
  scroll_ =
      std::clamp(scroll_ - ImGui::GetIO().MouseWheel * 48, 0.0f, std::max(0.0f, tallest(all) - rest.height));
  ImGui::PushClipRect(ui.screen({rest.x, rest.y}), ui.screen({rest.right(), rest.bottom()}), true);
  for (const auto& column : all) {
    Box at = rest.takeLeft(std::min(keyMapColumnWidth, rest.width));
    at.y -= scroll_, at.width -= 32;
    for (const Group& group : column) {
      const Box heading = at.takeTop(keyMapHeadingHeight);
      ui.drawText({heading.x, heading.y + 24}, group.name, {FontFace::Strong, Theme::small, theme.quiet});
      for (const auto& [what, key] : group.rows) {
        const Box row{at.x, at.y, at.width, keyMapRowHeight};
        at.y += keyMapRowHeight;
        const float keyWidth = ui.metrics().width(key, FontFace::Mono, Theme::small);
        ui.drawText({row.x, row.center().y}, what, theme.plain(), Align::Start, row.width - keyWidth - 16);
        ui.drawText({row.right(), row.center().y}, key, theme.quietMono(), Align::End);
      }
    }
  }
  ImGui::PopClipRect();
  if (scroll_ + rest.height < tallest(all) - 1)
    ui.drawText({area.right() - keyMapMargin, area.bottom() - 12}, "▾ more", theme.note(), Align::End);
  if (widgets::button(ui, "Close##keys", closeBox, {.icon = "✕", .tip = "close   Esc"})) close();
}

}  // namespace glassformer
