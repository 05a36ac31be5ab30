#include "app/panels/presenter_tools.h"

#include <cmath>

#include "app/panels/widgets.h"
#include "imgui_internal.h"

namespace glassformer {

namespace {

constexpr float spotlightRadius = 120, penWidth = 3;
constexpr int veilSlices = 160;

// Everything but a circle, as slices above, beside and below it.
void drawVeil(const Ui& ui, ImDrawList* list, Point window) {
  const Rgba veil = rgb(0).faded(0.62f);
  const Placement at{{0, 0}, ui.scale};
  const Point p = ui.pointer();
  const auto darken = [&](const Box& box) {
    if (box.width > 0 && box.height > 0) ui.painter.paint(list, Rect{box, veil, {0, 0, 0, 0}, 0, 0}, at);
  };
  const float top = p.y - spotlightRadius, bottom = p.y + spotlightRadius;
  darken({0, 0, window.x, top});
  darken({0, bottom, window.x, window.y - bottom});
  const float height = 2 * spotlightRadius / veilSlices;
  for (int i = 0; i < veilSlices; ++i) {
    const float y = top + (static_cast<float>(i) + 0.5f) * height;
    const float half = std::sqrt(std::max(spotlightRadius * spotlightRadius - (y - p.y) * (y - p.y), 0.0f));
    darken({0, y - height / 2, p.x - half, height});
    darken({p.x + half, y - height / 2, window.x - p.x - half, height});
  }
}

}  // namespace

void PresenterTools::toggle(Tool tool) {
  bool& on = tool == Tool::Spotlight ? spotlight_
             : tool == Tool::Pen     ? pen_
             : tool == Tool::Black   ? black_
                                     : frozen_;
  on = !on;
}

bool PresenterTools::takeBack() {
  if (black_) return black_ = false, true;
  if (frozen_) return frozen_ = false, true;
  if (!strokes_.empty()) return strokes_.clear(), true;
  if (pen_) return pen_ = false, true;
  if (spotlight_) return spotlight_ = false, true;
  return false;
}

void PresenterTools::show(Ui& ui, Point window) {
  if (pen_) draw(ui, window);
  ImDrawList* const list = ImGui::GetForegroundDrawList();
  const Placement at{{0, 0}, ui.scale};
  if (spotlight_) drawVeil(ui, list, window);
  for (const std::vector<Point>& stroke : strokes_)
    if (stroke.size() > 1) ui.painter.paint(list, Line{stroke, ui.theme.feedForward, penWidth, false}, at);
}

// What lies below gets nothing of the mouse meanwhile.
void PresenterTools::draw(Ui& ui, Point window) {
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ui.screen(window));
  ImGui::Begin("Pen", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  widgets::hotArea(ui, "pen", {0, 0, window.x, window.y});
  if (ImGui::IsItemActivated()) strokes_.push_back({});
  if (ImGui::IsItemActive() && !strokes_.empty() &&
      (strokes_.back().empty() || strokes_.back().back() != ui.pointer()))
    strokes_.back().push_back(ui.pointer());
  ImGui::End();
}

}  // namespace glassformer
