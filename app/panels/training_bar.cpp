#include "app/panels/training_bar.h"

#include "app/engine/training.h"
#include "app/panels/action_button.h"
#include "app/scene/format.h"
#include "app/views/training/run_strip_scene.h"
#include "app/views/training/training_picture.h"

namespace glassformer {

namespace {

std::string stateOf(const RunReport& run) {
  switch (run.state) {
    case RunReport::State::Paused:
      return "paused";
    case RunReport::State::Running:
      return run.tokensPerSecond > 0
                 ? formattedCount(static_cast<std::int64_t>(run.tokensPerSecond)) + " tokens/s"
                 : "training";
    case RunReport::State::Finished:
      return "finished";
    case RunReport::State::Diverged:
      return "diverged";
  }
  return "";
}

}  // namespace

void TrainingBar::content(Ui& ui, const Box& area) {
  ui.draw(Rect{{area.x, area.y, area.width, 1}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
  Box row = area.inset(16, 8);
  const float width = widgets::buttonWidth(ui, "New run");
  widgets::actionButton(ui, "new-run", "New run", row.takeRight(width), {.look = widgets::Look::Raised});
  row.takeRight(8);
  const RunReport* run = ui.snapshot.training->run.get();
  if (!isRun(ui.workspace().model) || !run) {
    const std::string words =
        ui.training && !ui.training->problem().empty() ? ui.training->problem() : "No run is open.";
    ui.drawText({row.x, row.center().y}, words, ui.theme.note(), Align::Start, row.width);
    return;
  }
  showButtons(ui, row, *run);
  widgets::actionButton(ui, "latest-checkpoint", "Latest##training",
                        row.takeRight(widgets::buttonWidth(ui, "Latest##training")),
                        {.look = widgets::Look::Raised});
  row.takeRight(8);
  if (isAvailable(actionOf("branch-run"), ui)) {
    widgets::actionButton(ui, "branch-run", "Branch here##training",
                          row.takeRight(widgets::buttonWidth(ui, "Branch here##training")),
                          {.look = widgets::Look::Raised});
    row.takeRight(8);
  }
  row.takeLeft(16);
  const std::string standing =
                        std::to_string(ui.snapshot.training->step) + " / " + std::to_string(run->steps),
                    state = stateOf(*run);
  const float words = 168;
  if (row.width > words + 120) {
    const Box box = row.takeLeft(words);
    ui.drawText({box.x, box.y + 8}, standing, ui.theme.mono(), Align::Start, box.width);
    const bool bad = run->state == RunReport::State::Diverged || !run->problem.empty();
    ui.drawText({box.x, box.y + 25}, run->problem.empty() ? state : run->problem,
                {FontFace::Ui, Theme::small, bad ? ui.theme.broken : ui.theme.quiet}, Align::Start,
                box.width - 8);
  }
  const ScreenMetrics metrics = ui.metrics();
  const SceneInput input{ui.workspace(), ui.snapshot, {row.width, row.height}, ui.theme, metrics, ui.hover};
  strip_.show(ui, runStripScene(input), row);
}

void TrainingBar::showButtons(Ui& ui, Box& row, const RunReport& run) {
  const bool running = run.state == RunReport::State::Running,
             unmeasured = run.state == RunReport::State::Finished && !run.measured;
  if (unmeasured)
    widgets::actionButton(ui, "evaluate-run", "Evaluate##training",
                          row.takeLeft(widgets::buttonWidth(ui, "Evaluate##training")),
                          {.look = widgets::Look::Primary});
  else
    widgets::actionButton(ui, "train-or-pause", running ? "Pause##training" : "Train##training",
                          row.takeLeft(72),
                          {.look = running ? widgets::Look::Raised : widgets::Look::Primary});
  row.takeLeft(8);
  widgets::actionButton(ui, "train-step", "One step##training", row.takeLeft(32),
                        {.look = widgets::Look::Raised, .icon = "+1"});
}

}  // namespace glassformer
