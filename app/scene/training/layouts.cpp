#include "app/scene/training/layouts.h"

#include "app/scene/training/answers_layout.h"
#include "app/scene/training/curves_layout.h"
#include "app/scene/training/optimizer_layout.h"
#include "app/scene/training/parts_layout.h"

namespace glassformer {

std::span<const TrainingLayoutEntry> trainingLayouts() {
  static constexpr TrainingLayoutEntry table[] = {
      {TrainingLayout::Curves, "Curves", "loss, right answers, learning rate and gradient over the steps",
       drawCurvesLayout},
      {TrainingLayout::Parts, "Parts", "gradient and update of every part of the model over the steps",
       drawPartsLayout},
      {TrainingLayout::Optimizer, "Optimizer",
       "a weight, its gradient and Adam's two moments at the step shown", drawOptimizerLayout},
      {TrainingLayout::Answers, "Answers", "what the model says to questions it has never seen",
       drawAnswersLayout},
  };
  return table;
}

}  // namespace glassformer
