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
  void choose(Ui& ui, const Command& next, float perSecond);

  bool plays_ = false;
  double due_ = 0;       // when the next one is chosen, on the clock of ui.seconds
  Selection selection_;  // as it left it: whoever chooses something else ends it
  std::string step_;     // likewise
};

}  // namespace glassformer
