#include "app/panels/stage_panel.h"

#include <filesystem>

#include "app/panels/decoding_controls.h"
#include "app/scene/compared_side.h"
#include "app/scene/stage.h"
#include "app/scene/views.h"
#include "app/toolkit/item_log.h"

namespace glassformer {

void StagePanel::content(Ui& ui, const Box& area) {
  const View& view = viewOf(ui.workspace().view);
  Box rest = area;
  if (view.scene == viewOf("beam").scene) {
    Box bar = rest.takeTop(48);
    ui.draw(Rect{{bar.x, bar.bottom() - 1, bar.width, 1}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
    showControls(ui, treeControls(), bar.inset(16, 8));
  }
  showViews(ui, view, rest);
  showLag(ui, area);
}

void StagePanel::showViews(Ui& ui, const View& view, const Box& area) {
  const auto parts = stageParts(view, ui.workspace(), ui.snapshot, area);
  for (const StagePart& part : parts) {
    const Box& title = part.title;
    if (title.height > 0) {
      ui.draw(Rect{{title.x, title.bottom() - 1, title.width, 1}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
      ui.drawText({title.x + 24, title.center().y}, part.words, {FontFace::Mono, Theme::small, ui.theme.text},
                  Align::Start, title.width - 48);
    }
    if (part.source == Target::Source::Other)
      ui.draw(Rect{{title.x, area.y, 1, area.height}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
    showPart(ui, view, part);
  }
}

void StagePanel::showPart(Ui& ui, const View& view, const StagePart& part) {
  const ScreenMetrics metrics = ui.metrics();
  const SceneInput input{ui.workspace(), ui.snapshot, {}, ui.theme, metrics, ui.hover};
  const Target before = std::exchange(ui.nextHover, {});
  SceneView& picture = part.source == Target::Source::Other ? other_ : view_;
  picture.show(ui, stageScene(view, part, input), part.picture);
  ui.nextHover = ui.nextHover.empty() ? before : ComparedSide(ui.snapshot, part.source).told(ui.nextHover);
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
  const std::string& asked = ui.workspace().model;
  const std::string text = asked == ui.snapshot.modelAsked
                               ? "catching up"
                               : "opening " + std::filesystem::path(asked).filename().string();
  const float width = ui.metrics().width(text, FontFace::Ui, Theme::small) + 24;
  const Box mark{area.center().x - width / 2, area.bottom() - 40, width, 28};
  ui.draw(Rect{mark, ui.theme.raised, ui.theme.line, 14, 1});
  const ImVec2 low = ui.screen({mark.x, mark.y}), high = ui.screen({mark.right(), mark.bottom()});
  logRegion(text.c_str(), low, high);
  ui.drawText(mark.center(), text, {FontFace::Ui, Theme::small, ui.theme.text}, Align::Middle);
}

}  // namespace glassformer
