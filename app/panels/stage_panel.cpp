#include "app/panels/stage_panel.h"

#include <algorithm>
#include <cmath>

#include "app/drawing/compared_side.h"
#include "app/engine/measurements.h"
#include "app/engine/question.h"
#include "app/lesson/lesson_picture.h"
#include "app/lesson/lesson_walk.h"
#include "app/panels/decoding_controls.h"
#include "app/panels/number_field.h"
#include "app/panels/widgets.h"
#include "app/views/stage.h"
#include "app/views/views.h"

namespace glassformer {

namespace {

constexpr float footHeight = 48, stageMargin = 24, headingHeight = 2 * Theme::control + 16,
                questionHeight = 24;

void showNumber(Ui& ui, Box& row, const PictureNumber& number) {
  const widgets::NumberOptions options{.low = number.low,
                                       .high = number.high,
                                       .step = number.step,
                                       .decimals = number.decimals,
                                       .rungs = number.rungs,
                                       .atLow = number.atLow,
                                       .tip = number.tip};
  const float width =
      options.width + std::ceil(ui.metrics().width(number.name, FontFace::Ui, Theme::small)) + 16;
  if (row.width < width) return;
  const float after = widgets::numberField(ui, number.name, row.takeLeft(width), number.value, options);
  row.takeLeft(24);
  if (after != number.value)
    ui.emit(number.set(after, widgets::numberText(after, options),
                       "number " + std::to_string(ui.numbers.gesture)));
}

bool isBeam(const Ui& ui) {
  return &viewOf(ui.workspace().view) == &viewOf("beam") &&
         (!ui.snapshot.model->config || ui.snapshot.model->continues());
}

const Picture& shownPicture(const Ui& ui) {
  return viewOf(ui.workspace().view).picture(ui.workspace().settings);
}

PictureNumbers numbersOf(const Ui& ui, const Picture& picture) {
  if (!picture.numbers || !ui.snapshot.model->config) return {};
  const ScreenMetrics metrics = ui.metrics();
  return picture.numbers({ui.workspace(), ui.snapshot, {}, ui.theme, metrics, {}});
}

bool isPlayed(const Ui& ui, const Picture& picture, const Snapshot& shown) {
  return picture.isPlayed && shown.pass->hasTrace() && !ui.workspace().comparison.isOn();
}

}  // namespace

void StagePanel::content(Ui& ui, const Box& area) {
  Box rest = area;
  if (!ui.presenting) showBeamNumbers(ui, rest);
  const bool hasFoot =
      isPlayed(ui, shownPicture(ui), ui.snapshot) || !numbersOf(ui, shownPicture(ui)).empty();
  if (!ui.presenting && hasFoot) showControls(ui, rest.takeBottom(footHeight).inset(24, 8));
  showViews(ui, viewOf(ui.workspace().view), rest);
}

void StagePanel::showBeamNumbers(Ui& ui, Box& rest) {
  if (!isBeam(ui)) return;
  Box numbers = rest.inset(16, 8);
  showAllNumbers(ui, numbersOfTree(ui.workspace(), numberAskedFor(ui)), numbers);
  rest.takeTop(numbers.y + 8 - rest.y);
  ui.draw(Rect{{rest.x, rest.y - 1, rest.width, 1}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
}

void StagePanel::showControls(Ui& ui, Box row) {
  const Picture& picture = shownPicture(ui);
  if (ui.presenting && isBeam(ui)) showNumbers(ui, numbersOfTree(ui.workspace(), numberAskedFor(ui)), row);
  if (isPlayed(ui, picture, ui.snapshot)) player_.show(ui, row);
  for (const PictureNumber& number : numbersOf(ui, picture)) showNumber(ui, row, number);
}

void StagePanel::showViews(Ui& ui, const View& view, Box area) {
  const Snapshot& shown = ui.snapshot;
  const Picture& picture = shownPicture(ui);
  const bool areTwo = stagePanes(ui.workspace(), shown, area).size() > 1;
  const Room room = ui.presenting ? Room::Presentation : areTwo ? Room::Compared : Room::Window;
  const Box above = room == Room::Compared ? area.takeTop(headingHeight) : Box{};
  showQuestion(ui, shown, area);
  const auto panes = stagePanes(ui.workspace(), shown, area);
  std::vector<PictureHeading> headings;
  for (const StagePane& pane : panes) headings.push_back(showPane(ui, view, pane, shown, room));
  heading_ = headingOfBoth(headings.front(), headings.back(), picture.label);
  for (std::size_t i = 0; i < panes.size(); ++i) {
    if (panes[i].title.height > 0)
      showTitle(ui, panes[i], headings[i].title == heading_.title ? "" : headings[i].title);
    if (panes[i].source == Target::Source::Other)
      ui.draw(Rect{{panes[i].title.x, area.y, 1, area.height}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
  }
  if (std::exchange(picture_, &picture) != &picture) strip_.close();
  if (room == Room::Compared) showHeading(ui, above);
}

// What the numbers below answer, where that is not what the picture asks at first; the whole on hover.
void StagePanel::showQuestion(Ui& ui, const Snapshot& shown, Box& area) {
  if (coveredNow(ui.lesson.get(), ui.workspace()).stage || !shown.pass->hasTrace()) return;
  const std::string asked = unusualQuestion(ui.workspace(), shown, neededFor(ui.workspace()), ui.presenting);
  if (asked.empty()) return;
  const Box line = area.takeTop(questionHeight);
  const float room = line.width - 2 * stageMargin;
  const TextStyle style{FontFace::Ui, Theme::small, ui.theme.accent};
  ui.drawText({line.x + stageMargin, line.center().y}, asked, style, Align::Start, room);
  const bool isCut = ui.metrics().width(asked, style.face, style.size) > room;
  if (isCut && ImGui::IsWindowHovered() && line.contains(ui.pointer())) widgets::tooltip(ui, asked);
}

// Once for both pictures that are compared.
void StagePanel::showHeading(Ui& ui, Box area) {
  constexpr std::size_t leading = 1;  // the pictures
  Box rest = area.inset(stageMargin, 0);
  ui.draw(Rect{{area.x, area.bottom() - 1, area.width, 1}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
  showPictureTitle(ui, rest.takeTop(Theme::control + 8), heading_);
  strip_.show(ui, rest.takeTop(Theme::control), groupsOf(heading_), leading);
}

// The text or model of a pane, and the picture's own title where the other one has another; the whole on
// hover.
void StagePanel::showTitle(Ui& ui, const StagePane& pane, const std::string& own) {
  const Box& title = pane.title;
  const ScreenMetrics metrics = ui.metrics();
  const TextStyle style = ui.theme.mono(), note = ui.theme.note();
  const float most = title.width - 2 * stageMargin;
  const float beside = own.empty() ? 0 : std::min(metrics.width(own, note.face, note.size), most / 2);
  ui.draw(Rect{{title.x, title.bottom() - 1, title.width, 1}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
  const std::string words = titleOf(pane, metrics, style, most - (beside > 0 ? beside + 16 : 0));
  ui.drawText({title.x + stageMargin, title.center().y}, words, style);
  if (beside > 0) ui.drawText({title.right() - stageMargin, title.center().y}, own, note, Align::End, beside);
  const std::string whole = pane.words + (pane.less.empty() ? "" : "  −  " + pane.less);
  if (words != whole && ImGui::IsWindowHovered() && title.contains(ui.pointer())) widgets::tooltip(ui, whole);
}

// A picture that is short of room is drawn smaller, as long as it can be read.
PictureHeading StagePanel::showPane(Ui& ui, const View& view, const StagePane& pane, const Snapshot& shown,
                                    Room room) {
  constexpr float smallest = 0.8f;
  const Box& box = pane.picture;
  const float fit =
      room == Room::Presentation ? 1 : std::clamp(box.width / SceneInput::leastIn(room).x, smallest, 1.0f);
  StagePane laidOut = pane;
  laidOut.picture = {0, 0, box.width / fit, box.height / fit};
  const ScreenMetrics metrics(ui.fonts, ui.scale * fit);
  const SceneInput input{ui.workspace(), shown, {}, ui.theme, metrics, ui.hover, room};
  const Target before = std::exchange(ui.nextHover, {}), asked = std::exchange(ui.why, {});
  ScenePane& picture = pane.source == Target::Source::Other ? other_ : view_;
  Scene scene = stageScene(view, laidOut, input);
  if (ui.lesson && pane.source == Target::Source::This)
    adaptToStep(scene, *ui.lesson, ui.workspace(), shown, ui.theme);
  picture.show(ui, scene, box, fit);
  const ComparedSide side(shown, pane.source);
  ui.nextHover = ui.nextHover.empty() ? before : side.told(ui.nextHover);
  ui.why = ui.why.empty() ? asked : side.told(ui.why);
  return {std::move(scene.title), std::move(scene.about), std::move(scene.choices)};
}

}  // namespace glassformer
