#include "app/panels/step_player.h"

#include <algorithm>
#include <cstdlib>

#include "app/document/view_commands.h"
#include "app/panels/number_field.h"
#include "app/panels/widgets.h"
#include "app/views/steps/step_picture.h"

namespace glassformer {

namespace {

constexpr float slowest = 0.5f, fastest = 60;  // numbers a second
constexpr const char *rowsChoice = "step.rows", *speedChoice = "step.speed";

std::string chosenOr(const ViewSettings& settings, const char* choice, const char* otherwise) {
  const std::string_view chosen = settings.chosen(choice);
  return std::string(chosen.empty() ? otherwise : chosen);
}

Command remember(const char* choice, std::string value) {
  return commands::changeSettings([=](ViewSettings& settings) { settings.choices[choice] = value; });
}

}  // namespace

void StepPlayer::show(Ui& ui, Box row) {
  const ScreenMetrics metrics = ui.metrics();
  const SceneInput input{ui.workspace(), ui.snapshot, {}, ui.theme, metrics, ui.hover};
  const ViewSettings& settings = ui.workspace().settings;
  plays_ = plays_ && selection_ == ui.workspace().selection && step_ == ui.workspace().step;
  const bool wholeRows = chosenOr(settings, rowsChoice, "") == "rows";
  const float perSecond =
      std::clamp(std::strtof(chosenOr(settings, speedChoice, "4").c_str(), nullptr), slowest, fastest);

  const char* tip =
      plays_ ? "Stay at this value" : "One value of the result after the other, from the selected one";
  const Box play = row.takeLeft(widgets::buttonWidth(ui, "Play"));
  if (widgets::button(ui, "Play##step", play, {.look = widgets::Look::Raised, .on = plays_, .tip = tip})) {
    plays_ = !plays_;
    const auto next = chooseNext(input, wholeRows), first = chooseFirst(input, wholeRows);
    if (plays_ && first) choose(ui, next ? *next : *first, perSecond);
  }
  row.takeLeft(16);
  const auto choice = [&](const char* label, bool rows, const char* what) {
    if (row.width < widgets::buttonWidth(ui, label)) return;
    if (widgets::button(ui, label, row.takeLeft(widgets::buttonWidth(ui, label)),
                        {.on = wholeRows == rows, .tip = what}))
      ui.emit(remember(rowsChoice, rows ? "rows" : "numbers"));
  };
  choice("By number##step", false, "Every value, row by row");
  choice("By token##step", true, "The selected column, token by token");
  const widgets::NumberOptions speed{
      .low = slowest, .high = fastest, .step = 0.5f, .decimals = 1, .tip = "Values per second"};
  const float speedWidth = speed.width + ui.metrics().width("Speed", FontFace::Ui, Theme::small) + 16;
  if (row.takeLeft(16).width == 16 && row.width >= speedWidth) {
    const float changed = widgets::numberField(ui, "Speed", row.takeLeft(speedWidth), perSecond, speed);
    if (changed != perSecond) ui.emit(remember(speedChoice, widgets::numberText(changed, speed)));
  }

  if (!plays_) return;
  ui.animating = true;
  if (ui.seconds < due_) return;
  const auto next = chooseNext(input, wholeRows);
  plays_ = next.has_value();
  if (next) choose(ui, *next, perSecond);
}

void StepPlayer::choose(Ui& ui, const Command& next, float perSecond) {
  Workspace after = ui.workspace();
  next.apply(after);
  selection_ = after.selection, step_ = after.step;
  due_ = ui.seconds + 1 / static_cast<double>(perSecond);
  ui.emit(next);
}

}  // namespace glassformer
