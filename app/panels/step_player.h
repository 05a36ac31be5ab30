#pragma once
#include "app/drawing/scene_input.h"
#include "app/panels/ui.h"

namespace glassformer {

/// Plays a step: chooses one number of its result after the other, or one row, at a speed one sets.
class StepPlayer {
 public:
  /// The controls in a row; goes on where the next number is due.
  void show(Ui& ui, Box row);

 private:
  bool plays_ = false;
  double due_ = 0;  // when the next one is chosen, on the clock of ui.seconds
};

}  // namespace glassformer
