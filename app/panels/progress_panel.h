#pragma once
#include "app/panels/ui.h"

namespace glassformer {

/// One line at the foot of the stage, only where there is something to say: that the picture is of an older
/// text, what is being worked on for longer than one notices and how far it is, or what was cancelled. With
/// it the buttons that cancel, and start again.
class ProgressPanel {
 public:
  void show(Ui& ui, const Box& stage);

 private:
  void showWork(Ui& ui, const Box& stage) const;
  void showCancelled(Ui& ui, const Box& stage);
  void showLag(Ui& ui, const Box& stage);

  static constexpr double lagNoticeable = 0.1;  // seconds

  double laggingSince_ = -1;  // negative: up to date
  std::string dismissed_;     // what was cancelled and is no longer spoken of
};

}  // namespace glassformer
