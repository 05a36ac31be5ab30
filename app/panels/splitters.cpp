#include "app/panels/splitters.h"

#include "app/document/view_commands.h"
#include "app/panels/widgets.h"

namespace glassformer {

void drawSplitters(Ui& ui, const Layout& layout) {
  Look look = ui.workspace().look;
  const auto handle = [&](const char* name, const Box& box, bool vertical) {
    ImGui::SetNextWindowPos(ui.screen({box.x, box.y}));
    ImGui::SetNextWindowSize({box.width * ui.scale, box.height * ui.scale});
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    const float moved = widgets::splitter(ui, name, box, vertical);
    ImGui::End();
    return moved;
  };
  if (!layout.compact)
    look.leftWidth +=
        handle("Left edge", {layout.left.right() - 4, layout.left.y, 8, layout.left.height}, true);
  if (!layout.narrow)
    look.rightWidth -=
        handle("Right edge", {layout.right.x - 4, layout.right.y, 8, layout.right.height}, true);
  look.bottomHeight -=
      handle("Bottom edge", {layout.bottom.x, layout.bottom.y - 4, layout.bottom.width, 8}, false);
  if (look != ui.workspace().look) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ui.emit(commands::setLook(clampedRegions(look, {display.x / ui.scale, display.y / ui.scale})));
  }
}

}  // namespace glassformer
