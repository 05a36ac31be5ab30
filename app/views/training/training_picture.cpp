#include "app/views/training/training_picture.h"

#include <cmath>

#include "app/document/training_commands.h"
#include "app/scene/format.h"
#include "core/train/tasks/training_tasks.h"

namespace glassformer {

std::optional<Scene> TrainingPicture::empty(const SceneInput& input) {
  if (input.snapshot.training->run && input.snapshot.training->side) return std::nullopt;
  return emptyScene(input, "No training run",
                    "Choose a task with “New run” below. Every view follows the training.");
}

TrainingPicture::TrainingPicture(const SceneInput& sceneInput)
    : input(sceneInput),
      theme(sceneInput.theme),
      run(*sceneInput.snapshot.training->run),
      side(*sceneInput.snapshot.training->side),
      settings(sceneInput.workspace.settings.training) {
  scene.size = input.pictureSize();
  scene.sources = input.sources();
}

std::string standingOf(const RunReport& run, const RunVariant& side) {
  std::string words = "step " + std::to_string(run.step) + " of " + std::to_string(run.steps);
  if (std::isfinite(side.loss)) words += ", loss " + formatted(static_cast<float>(side.loss));
  if (std::isfinite(side.heldOutLoss))
    words += ", validation " + formatted(static_cast<float>(side.heldOutLoss));
  if (side.rightShare >= 0) words += ", " + formattedPercent(static_cast<float>(side.rightShare)) + " right";
  if (!run.plan.from.empty()) words += ", from " + run.plan.from;
  return words;
}

void addTrainingHeader(TrainingPicture& picture, Box& area, const std::string& about) {
  const TrainingTaskEntry* task = findTrainingTask(picture.run.plan.task);
  const std::string title = task ? "Training: " + std::string(task->title) : "Training";
  addViewHeader(picture.scene, picture.input, area,
                {title,
                 about.empty() ? standingOf(picture.run, picture.side) : about,

                 {}});
}

void addStepNumbers(TrainingPicture& picture, const Box& plot) {
  const TrainingAxis& axis = picture.axis();
  addStepAxis(picture.scene, picture.input, plot, axis.columns * axis.stride, axis.steps);
}

void addStepMarker(TrainingPicture& picture, const Box& plot) {
  const auto line = [&](int step, Rgba color, float width) {
    const float x = picture.placeOf(step, plot);
    picture.scene.add(Line{{{x, plot.y}, {x, plot.bottom()}}, color, width});
  };
  const bool broke = picture.run.state == RunReport::State::Diverged;
  line(picture.run.step, broke ? picture.theme.broken : picture.theme.line, broke ? 2.0f : 1.0f);
  if (picture.settings.at >= 0) line(picture.input.snapshot.training->step, picture.theme.accent, 1.5f);
}

std::function<Command(const Target&)> showStep(const TrainingPicture& picture, std::size_t dimension) {
  return [dimension, axis = picture.axis(), newest = picture.run.step](const Target& target) {
    const int step = axis.stepOf(target.cell.index[dimension]);
    return commands::showStepOfRun(step >= newest ? TrainingSettings::newest : step);
  };
}

}  // namespace glassformer
