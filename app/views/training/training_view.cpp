#include "app/views/training/training_view.h"

#include <cmath>

#include "app/document/training_commands.h"
#include "app/scene/format.h"
#include "app/views/views.h"
#include "core/train/tasks/training_tasks.h"

namespace glassformer {

std::optional<Scene> TrainingView::empty(const SceneInput& input) {
  if (input.snapshot.training->run && input.snapshot.training->side) return std::nullopt;
  return emptyScene(input, "Nothing is being trained",
                    "Choose a task with “New run” below, and every view follows what is learned.");
}

TrainingView::TrainingView(const SceneInput& sceneInput)
    : input(sceneInput),
      theme(sceneInput.theme),
      run(*sceneInput.snapshot.training->run),
      side(*sceneInput.snapshot.training->side),
      settings(sceneInput.workspace.settings.training) {
  scene.size = input.pictureSize();
  scene.sources = input.sources();
}

std::string standingOf(const RunReport& run, const RunSide& side) {
  std::string words = "step " + std::to_string(run.step) + " of " + std::to_string(run.steps);
  if (std::isfinite(side.loss)) words += ", loss " + formatted(static_cast<float>(side.loss));
  if (std::isfinite(side.heldOutLoss))
    words += ", held out " + formatted(static_cast<float>(side.heldOutLoss));
  if (side.rightShare >= 0) words += ", " + formattedPercent(static_cast<float>(side.rightShare)) + " right";
  if (!run.plan.from.empty()) words += ", from " + run.plan.from;
  return words;
}

void addTrainingHeader(TrainingView& view, Box& area, const std::string& about) {
  const TrainingTaskEntry* task = findTrainingTask(view.run.plan.task);
  const std::string title = task ? "Training: " + std::string(task->title) : "Training";
  addViewHeader(view.scene, view.input, area,
                {title,
                 about.empty() ? standingOf(view.run, view.side) : about,
                 pictureChoices(view.input, "training"),
                 {}});
}

namespace {

// The distance between two numbers that are written: 1, 2 or 5 times a power of ten.
int niceStep(int steps, int atMost) {
  for (int power = 1;; power *= 10)
    for (const int factor : {1, 2, 5})
      if (steps / (factor * power) <= atMost) return factor * power;
}

}  // namespace

void addStepNumbers(TrainingView& view, const Box& plot) {
  const int steps = view.axis().steps;
  const int apart = niceStep(steps, std::max(2, static_cast<int>(plot.width / 80)));
  for (int step = 0; step <= steps; step += apart) {
    const float x = view.placeOf(step, plot);
    view.scene.add(Line{{{x, plot.bottom()}, {x, plot.bottom() + 4}}, view.theme.line, 1, false});
    addText(view.scene, {x, plot.bottom() + 14}, std::to_string(step), view.theme.quietMono(), Align::Middle);
  }
}

void addStepMarker(TrainingView& view, const Box& plot) {
  const auto line = [&](int step, Rgba color, float width) {
    const float x = view.placeOf(step, plot);
    view.scene.add(Line{{{x, plot.y}, {x, plot.bottom()}}, color, width, false});
  };
  const bool broke = view.run.state == RunReport::State::Diverged;
  line(view.run.step, broke ? view.theme.broken : view.theme.line, broke ? 2.0f : 1.0f);
  if (view.settings.at >= 0) line(view.input.snapshot.training->step, view.theme.accent, 1.5f);
}

HitRegion stepRegion(const TrainingView& view, const Box& plot, const std::string& tensor,
                     const std::string& name) {
  HitRegion hit;
  hit.box = plot;
  hit.target.cell = {tensor, {}, -1, 0, -1, view.axis().columns};
  hit.columns = view.axis().columns;
  hit.name = name;
  const auto stepOf = [axis = view.axis()](const Target& target) {
    return axis.stepOf(target.cell.index[0]);
  };
  hit.click = [stepOf, newest = view.run.step](const Target& target) {
    const int step = stepOf(target);
    return commands::showStepOfRun(step >= newest ? TrainingSettings::newest : step);
  };
  return hit;
}

}  // namespace glassformer
