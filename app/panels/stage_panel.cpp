#include "app/panels/stage_panel.h"

#include "app/panels/decoding_controls.h"
#include "app/scene/views.h"

namespace glassformer {

void StagePanel::content(Ui& ui, const Box& area) {
  const View& view = viewOf(ui.workspace().view);
  Box rest = area;
  if (view.scene == viewOf("beam").scene) {
    Box bar = rest.takeTop(48);
    ui.draw(Rect{{bar.x, bar.bottom() - 1, bar.width, 1}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
    showControls(ui, treeControls(), bar.inset(16, 8));
  }
  const ScreenMetrics metrics = ui.metrics();
  const SceneInput input{ui.workspace(), ui.snapshot, {rest.width, rest.height}, ui.theme, metrics, ui.hover};
  view_.show(ui, view.scene(input), rest);
  showLag(ui, area);
}

void StagePanel::showLag(Ui& ui, const Box& area) {
  if (ui.snapshot.revision >= ui.history.revision()) {
    laggingSince_ = -1;
    return;
  }
  if (laggingSince_ < 0) laggingSince_ = ui.seconds;
  if (ui.seconds - laggingSince_ < noticeable) {
    ui.animating = true;  // look again soon
    return;
  }
  const std::string text = "catching up";
  const float width = ui.metrics().width(text, FontFace::Ui, Theme::small) + 24;
  const Box mark{area.center().x - width / 2, area.bottom() - 40, width, 28};
  ui.draw(Rect{mark, ui.theme.raised, ui.theme.line, 14, 1});
  ui.drawText(mark.center(), text, {FontFace::Ui, Theme::small, ui.theme.text}, Align::Middle);
}

}  // namespace glassformer
