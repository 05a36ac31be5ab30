#pragma once
#include "app/lesson/lesson_check.h"
#include "app/panels/ui.h"

namespace glassformer {

/// What a step asks: what it is answered with, what a room says to it, and once a prediction is made whether
/// that is right.
class AskedQuestion {
 public:
  /// Takes what it needs off the top of `rest`. Whether it says if the prediction is right.
  bool show(Ui& ui, const LessonQuestion& question, int step, Box& rest);

 private:
  void showChoices(Ui& ui, const LessonQuestion& question, const Answer* answer, Box& rest);
  void showNumber(Ui& ui, Box& rest);
  void showTokens(Ui& ui, const Answer* answer, Box& rest);
  void showCell(Ui& ui, Box& rest);
  void showBars(Ui& ui, const LessonQuestion& question, const Answer* answer, Box& rest);
  void showVotes(Ui& ui, const LessonQuestion& question, Box& rest);
  void showVerdict(Ui& ui, const LessonQuestion& question, const Result<Answer>& answer, Box& rest);
  void predict(Ui& ui, std::vector<float> values, bool made);
  bool checkButton(Ui& ui, Box& rest, bool enabled = true);

  int step_ = 0;
  bool voting_ = false;
};

/// The snapshot is of what is asked about, once what the answer was to be hidden by is taken away.
bool isSnapshotCurrent(const Ui& ui);

}  // namespace glassformer
