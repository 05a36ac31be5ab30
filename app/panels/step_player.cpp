#include "app/panels/step_player.h"

#include <cstdlib>

#include "app/document/view_commands.h"
#include "app/panels/number_field.h"
#include "app/panels/widgets.h"
#include "app/views/steps/step_view.h"

namespace glassformer {

namespace {

constexpr const char *rowsChoice = "step.rows", *speedChoice = "step.speed";

std::string chosenOr(const ViewSettings& settings, const char* choice, const char* otherwise) {
  const auto found = settings.choices.find(choice);
  return found == settings.choices.end() ? otherwise : found->second;
}

Command remember(const char* choice, std::string value) {
  return commands::changeSettings([=](ViewSettings& settings) { settings.choices[choice] = value; });
}

}  // namespace

void StepPlayer::show(Ui& ui, Box row) {
  const ScreenMetrics metrics = ui.metrics();
  const SceneInput input{ui.workspace(), ui.snapshot, {}, ui.theme, metrics, ui.hover};
  const ViewSettings& settings = ui.workspace().settings;
  const bool wholeRows = chosenOr(settings, rowsChoice, "") == "rows";
  const float perSecond = std::strtof(chosenOr(settings, speedChoice, "4").c_str(), nullptr);

  const float width = widgets::buttonWidth(ui, "Pause");
  const char* tip =
      plays_ ? "stay at this number" : "one number of the result after the other, from the chosen one on";
  if (widgets::button(ui, plays_ ? "Pause##step" : "Play##step", row.takeLeft(width),
                      {.look = widgets::Look::Raised, .tip = tip})) {
    plays_ = !plays_, due_ = ui.seconds;
    if (plays_ && !chooseNext(input, wholeRows))
      if (const auto first = chooseFirst(input, wholeRows)) ui.emit(*first), due_ += 1 / perSecond;
  }
  row.takeLeft(16);
  const auto choice = [&](const char* label, bool rows, const char* what) {
    if (widgets::button(ui, label, row.takeLeft(widgets::buttonWidth(ui, label)),
                        {.on = wholeRows == rows, .tip = what}))
      ui.emit(remember(rowsChoice, rows ? "rows" : ""));
  };
  choice("By number##step", false, "row by row, every number");
  choice("By token##step", true, "the chosen column of one token after the other");
  row.takeLeft(16);
  const widgets::NumberOptions speed{
      .low = 0.5f, .high = 60, .step = 0.5f, .decimals = 1, .tip = "how many a second"};
  const float changed = widgets::numberField(ui, "Speed", row.takeLeft(speed.width + 56), perSecond, speed);
  if (changed != perSecond) ui.emit(remember(speedChoice, widgets::numberText(changed, speed)));

  if (!plays_) return;
  ui.animating = true;
  if (ui.seconds < due_) return;
  due_ = ui.seconds + 1 / static_cast<double>(perSecond);
  if (const auto next = chooseNext(input, wholeRows))
    ui.emit(*next);
  else
    plays_ = false;
}

}  // namespace glassformer
