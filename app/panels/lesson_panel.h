#pragma once
#include <string>

#include "app/panels/lesson_question.h"
#include "app/panels/panel.h"

namespace glassformer {

/// The lesson beside the stage: what the step says, what it asks, what came of it; back, next, and the way
/// back to what the step shows.
class LessonPanel : public Panel {
 public:
  LessonPanel() : Panel("Lesson") {}

  static constexpr float width = 360;

 protected:
  void content(Ui& ui, const Box& area) override;

 private:
  static void noteReached(Ui& ui, int step);
  void showTitle(Ui& ui, Box& rest);
  void showFoot(Ui& ui, Box foot);
  float showStep(Ui& ui, const LessonStep& step, Box& rest);
  void showHints(Ui& ui, const LessonStep& step, Box& rest);
  void showTodo(Ui& ui, const LessonStep& step, Box& rest);
  void showNote(Ui& ui, const LessonStep& step, Box& rest);
  void showNextLesson(Ui& ui, Box& rest);
  bool isOnPath(const Ui& ui);

  int step_ = -1;  // of the last frame
  std::string lesson_;
  float scroll_ = 0, height_ = 0;         // of what the step says
  std::shared_ptr<const Lesson> pathOf_;  // of which lesson, and at which revision, it was asked
  std::uint64_t pathAt_ = 0;
  bool onPath_ = false;
  bool noteShown_ = false, saysVerdict_ = false;
  AskedQuestion question_;
};

/// What the keys and the palette do with a lesson: to the next of its steps, or one before.
void turnLessonPage(Ui& ui, int by);

}  // namespace glassformer
