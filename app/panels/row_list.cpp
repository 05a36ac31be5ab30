#include "app/panels/row_list.h"

#include <algorithm>
#include <cmath>

#include "app/panels/widgets.h"

namespace glassformer {

void RowList::show(Ui& ui, Box area, Point foot, int count, float height, bool hasKeys,
                   const std::function<void(int, const Box&)>& row) {
  const int rows = std::max(1, static_cast<int>(area.height / height));
  const int now = hasKeys ? widgets::chosenByKeys(chosen_, count) : chosen_;
  if (now != chosen_) first_ = std::clamp(first_, now - rows + 1, now);
  chosen_ = now;
  if (area.contains(ui.pointer())) first_ -= static_cast<int>(std::lround(ImGui::GetIO().MouseWheel));
  first_ = std::clamp(first_, 0, std::max(0, count - rows));
  for (int i = first_; i < std::min(count, first_ + rows); ++i) row(i, area.takeTop(height));
  if (const int more = count - first_ - rows; more > 0)
    ui.drawText(foot, "▾ " + std::to_string(more) + " more", ui.theme.note(), Align::End);
}

}  // namespace glassformer
