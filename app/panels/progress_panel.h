#pragma once
#include "app/panels/ui.h"

namespace glassformer {

/// One line below the stage, only where there is something to say: that the picture is of an older text, what
/// is being worked on for longer than one notices and how far it is, or what was cancelled. With it the
/// buttons that cancel, and start again.
class ProgressPanel {
 public:
  /// The room of the line, taken off the stage so that it lies on nothing that is read; empty: there is none.
  Box takeRoom(Ui& ui, Box& stage);
  void show(Ui& ui, const Box& room);

 private:
  void noteLag(Ui& ui);
  bool isCancelled(const Ui& ui) const;
  bool isLagging(const Ui& ui) const;
  static void showWork(Ui& ui, const Box& room);
  void showCancelled(Ui& ui, const Box& room);
  static void showLag(Ui& ui, const Box& room);

  static constexpr double lagNoticeable = 0.1;  // seconds
  static constexpr double lingering = 0.6;      // how long the room stays, so that no picture jumps

  double until_ = 0;          // the room stays
  double laggingSince_ = -1;  // negative: up to date
  std::string dismissed_;     // what was cancelled and is no longer spoken of
};

}  // namespace glassformer
