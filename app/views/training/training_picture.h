#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/drawing/view_header.h"
#include "app/scene/plot.h"

namespace glassformer {

/// A picture of the training view while it is being drawn, and what all its pictures need to know.
struct TrainingPicture {
  /// The snapshot has to have a run.
  explicit TrainingPicture(const SceneInput& sceneInput);
  /// What is said where there is no run.
  static std::optional<Scene> empty(const SceneInput& input);

  const SceneInput& input;
  const Theme& theme;
  const RunReport& run;
  const RunVariant& side;
  const TrainingSettings& settings;
  Scene scene;

  const TrainingAxis& axis() const { return run.axis; }
  bool isThere(const std::string& tensor) const { return scene.sources.contains(tensor); }
  /// Where the end of a step lies on the axis of steps.
  float placeOf(int step, const Box& plot) const {
    return plot.x +
           plot.width * static_cast<float>(step) / static_cast<float>(axis().columns * axis().stride);
  }
};

/// Title, where the run stands, and the choice of pictures; takes them off the area.
void addTrainingHeader(TrainingPicture& picture, Box& area, const std::string& about = "");
/// "step 340 of 1,500, loss 0.42, held out 0.45, 97 % right".
std::string standingOf(const RunReport& run, const RunVariant& side);
/// Numbers of steps along the foot of a plot, and a line where the step is that all views show.
void addStepNumbers(TrainingPicture& picture, const Box& plot);
void addStepMarker(TrainingPicture& picture, const Box& plot);
/// A click on a column of steps, which are a dimension of its tensor, shows that step in every view.
std::function<Command(const Target&)> showStep(const TrainingPicture& picture, std::size_t dimension);

}  // namespace glassformer
