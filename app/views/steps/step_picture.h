#pragma once
#include <functional>
#include <optional>

#include "app/drawing/parts.h"
#include "app/views/steps/step_operands.h"

namespace glassformer {

/// A picture of the stepper's current step while it is being drawn, and what all its pictures need to know.
struct StepPicture {
  explicit StepPicture(const SceneInput& sceneInput);
  /// What is said where there is nothing to draw.
  static std::optional<Scene> empty(const SceneInput& input);

  const SceneInput& input;
  const Theme& theme;
  Step step;
  const TracePoint* point;  ///< what the step shows
  TensorRef result;         ///< its plane of the selected head: positions down, the rest across
  TensorView cells;         ///< the numbers of that plane
  Scene scene;

  /// The row and column that were chosen last.
  int row() const;
  int column() const;
  /// Row and column of what is pointed at in the result; nothing elsewhere.
  std::optional<std::array<int, 2>> pointed() const;
  bool isOverKeys() const { return point->letters.back() == 'S'; }
  bool isOverEntries() const { return point->letters.back() == 'V'; }
  /// Chooses a number of the result.
  std::function<Command(int row, int column)> choosing() const;
};

/// The plane of a point's tensor: positions down, the rest across; of taps the one given.
TensorRef planeOf(const TracePoint& point, const TensorView& tensor, const SceneInput& input, int tap = 0);
/// What ViewSettings::choices calls the tap of a convolution whose step is shown as an equation; empty: the
/// one that reads the token itself.
inline constexpr const char* tapChoice = "step.tap";
/// How many taps a point has; 0: it is none of a convolution's taps.
int tapsOf(const TracePoint& point, const TensorView& tensor);
int chosenTap(const SceneInput& input, int taps);

/// Title, meaning and equation at the left, the choice of pictures, shape and name at the right; takes them
/// off the area.
void addStepHeading(StepPicture& picture, Box& area);
/// Colours of the planes of a step, on one scale.
Coloring stepColoring(const SceneInput& input, const std::vector<TensorRef>& planes);
/// Where the pointer is on a cell of the step's plane, or of a part of it.
HitRegion stepHits(const StepPicture& picture, const Box& box, const TensorRef& values);

/// What ViewSettings::choices calls the entry of the vocabulary whose logit is looked at; empty: the most
/// probable one.
inline constexpr const char* logitChoice = "step.entry";
/// Chooses the number behind the chosen one, or with `wholeRows` the next row; nothing at the end.
std::optional<Command> chooseNext(const SceneInput& input, bool wholeRows);
/// Chooses the first one, or with `wholeRows` the first row.
std::optional<Command> chooseFirst(const SceneInput& input, bool wholeRows);

/// One matrix of the equation, as large as there is room for.
void drawStepResult(StepPicture& picture, Box area);
/// The selected token on its way through the selected block, in the steps that lectures count: query, compare
/// with every key, weigh, average the values, add, norm, transform, add, norm, in the order that the model
/// has; its row of each, as numbered strips.
Scene tokenWalkScene(const SceneInput& input);
/// None that it could not do without.
std::optional<std::vector<std::string>> pointsOfWalk(const Workspace& workspace, const ModelConfig& config);
/// The selected head as a table of keys and values, in which the selected token looks something up.
Scene lookupScene(const SceneInput& input);
/// Operands and result side by side, and below them what made the chosen number.
void drawStepEquation(StepPicture& picture, Box area);

}  // namespace glassformer
