#pragma once
#include <string>

#include "app/panels/ui.h"

namespace glassformer {

/// In a presentation with a lesson: the number of a step, and Enter, leads there, as with slides.
class StepJump {
 public:
  /// Takes digits, and behind them Backspace and Enter; false where none was pressed.
  bool take(Ui& ui);
  /// Esc takes the digits back; false where there were none.
  bool takeBack();
  void end() { digits_.clear(); }
  /// What is typed, in the middle of the window's foot.
  void show(const Ui& ui, Point window) const;

 private:
  std::string digits_;
};

}  // namespace glassformer
