#include "app/panels/stage_panel.h"

#include "app/document/text_edit.h"
#include "app/panels/decoding_controls.h"
#include "app/scene/side.h"
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

void StagePanel::showViews(Ui& ui, const View& view, Box area) {
  constexpr float titleHeight = 40;
  const Comparison& comparison = ui.workspace().comparison;
  if (!comparison.isOn() || !ui.snapshot.other) return showSide(ui, view, area, Target::Source::This, view_);
  const auto title = [&](Box& box, const std::string& words) {
    const Box row = box.takeTop(titleHeight);
    ui.draw(Rect{{row.x, row.bottom() - 1, row.width, 1}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
    ui.drawText({row.x + 24, row.center().y}, displayable(words),
                {FontFace::Mono, Theme::small, ui.theme.text}, Align::Start, row.width - 48);
  };
  const std::string& other = ui.snapshot.other->text;
  if (comparison.view == ComparisonView::Difference && view.subtracts && ui.snapshot.difference) {
    title(area, comparison.with == Comparison::withoutInterventions ? "with interventions  −  without"
                                                                    : ui.snapshot.text + "  −  " + other);
    return showSide(ui, view, area, Target::Source::Difference, view_);
  }
  Box right = area.takeRight(area.width / 2);
  ui.draw(Rect{{right.x, right.y, 1, right.height}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
  const bool plain = comparison.with == Comparison::withoutInterventions;
  title(area, plain ? "with interventions" : ui.snapshot.text);
  title(right, plain ? "without" : other);
  showSide(ui, view, area, Target::Source::This, view_);
  showSide(ui, view, right, Target::Source::Other, other_);
}

void StagePanel::showSide(Ui& ui, const View& view, const Box& box, Target::Source source,
                          SceneView& picture) {
  const Side side(ui.snapshot, source);
  const Workspace workspace = side.seen(ui.workspace());
  const ScreenMetrics metrics = ui.metrics();
  Scene scene = view.scene(
      {workspace, side.snapshot(), {box.width, box.height}, ui.theme, metrics, side.seen(ui.hover)});
  side.adapt(scene);
  const Target before = std::exchange(ui.nextHover, {});
  picture.show(ui, scene, box);
  ui.nextHover = ui.nextHover.empty() ? before : side.told(ui.nextHover);
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
  const ImVec2 low = ui.screen({mark.x, mark.y}), high = ui.screen({mark.right(), mark.bottom()});
  logRegion(text.c_str(), low, high);
  ui.drawText(mark.center(), text, {FontFace::Ui, Theme::small, ui.theme.text}, Align::Middle);
}

}  // namespace glassformer
