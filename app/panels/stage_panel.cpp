#include "app/panels/stage_panel.h"

#include "app/scene/views.h"

namespace glassformer {

void StagePanel::content(Ui& ui, const Box& area) {
  const ScreenMetrics metrics = ui.metrics();
  const SceneInput input{ui.workspace(), ui.snapshot, {area.width, area.height}, ui.theme, metrics, ui.hover};
  view_.show(ui, viewOf(ui.workspace().view).scene(input), area);
}

}  // namespace glassformer
