#include "app/panels/presentation_panel.h"

#include <algorithm>
#include <utility>

#include "app/document/text_edit.h"
#include "app/document/view_commands.h"
#include "app/lesson/lesson_walk.h"
#include "app/panels/stage_panel.h"
#include "app/panels/widgets.h"
#include "app/views/timeline/text_line_scene.h"
#include "app/views/views.h"

namespace glassformer {

namespace {

constexpr float presentedMargin = 16, titleHeight = 38, textLineHeight = 30;
constexpr double fadeSeconds = 0.15;
constexpr std::size_t leading = 2;  // views and pictures: what is chosen least often meanwhile

bool hasSource(const Ui& ui) { return ui.snapshot.pass->countOf(Stream::Source) > 0; }

std::vector<Choice> viewChoices(const Ui& ui) {
  std::vector<Choice> choices;
  for (const View& view : views())
    choices.push_back(
        {view.title, view.about, &view == &viewOf(ui.workspace().view), commands::setView(view.id)});
  return choices;
}

}  // namespace

float PresentationPanel::heightFor(const Ui& ui) {
  return titleHeight + textLineHeight * (hasSource(ui) ? 2 : 1);
}

void PresentationPanel::begin() {
  moved_ = -1000, pointer_.reset();
  strip_.close();
}

void PresentationPanel::content(Ui& ui, const Box& area) {
  Box rest = area.inset(presentedMargin, 0);
  const Box row = rest.takeTop(titleHeight);
  if (wantsChoices(ui, row))
    showChoices(ui, row);
  else if (!coveredNow(ui.lesson.get(), ui.workspace()).stage)
    showPictureTitle(ui, row, stage_.heading());
  const ScreenMetrics metrics = ui.metrics();
  const auto showLine = [&](ScenePane& pane, Stream stream, bool saysNext) {
    const Box line = rest.takeTop(textLineHeight);
    pane.show(ui,
              textLineScene({ui.workspace(),
                             ui.snapshot,
                             {line.width, line.height},
                             ui.theme,
                             metrics,
                             ui.hover,
                             Room::Presentation},
                            stream, saysNext),
              line);
  };
  if (hasSource(ui)) showLine(source_, Stream::Source, false);
  const Cover cover = coveredNow(ui.lesson.get(), ui.workspace());
  if (!cover.tokens) return showLine(text_, Stream::Text, !cover.next);
  ui.drawText({rest.x, rest.y + textLineHeight / 2}, displayable(ui.snapshot.pass->text), ui.theme.mono(),
              Align::Start, rest.width);
}

// While the pointer moves and a little longer, while it is on them, and while the keyboard is in them.
bool PresentationPanel::wantsChoices(const Ui& ui, const Box& row) {
  const Point at = ui.pointer();
  const bool isAsked = std::exchange(pointer_, at).value_or(at) != at || strip_.isOpen() ||
                       ui.numbers.typing() || ui.focus.active() || row.contains(ui.pointer());
  const bool wasShown = ImGui::GetTime() - moved_ < patience;
  if (isAsked && !wasShown) shownSince_ = ImGui::GetTime();
  if (isAsked) moved_ = ImGui::GetTime();
  return isAsked || wasShown;
}

// They fade in.
void PresentationPanel::showChoices(Ui& ui, Box row) {
  const Box all = row;
  std::vector<ChoiceStrip::Group> groups = groupsOf(stage_.heading());
  groups.insert(groups.begin(), viewChoices(ui));
  Box line{row.x, row.center().y - Theme::control / 2, row.width, Theme::control};
  if (widgets::button(ui, "End the presentation", line.takeRight(Theme::control),
                      {.icon = "✕", .tip = "End the presentation   Esc"}))
    ui.ask(Request::Present);
  const Box rest = strip_.show(ui, line, groups, leading);
  if (!strip_.isOpen()) stage_.showControls(ui, rest);
  const double share = (ImGui::GetTime() - shownSince_) / fadeSeconds;
  if (share >= 1) return;
  ui.draw(Rect{all, ui.theme.ground.faded(static_cast<float>(1 - share)), {0, 0, 0, 0}, 0, 0});
  ui.animating = true;
}

}  // namespace glassformer
