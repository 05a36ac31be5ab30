#pragma once
#include <vector>

#include "app/lesson/lesson.h"
#include "app/lesson/lesson_check.h"
#include "app/panels/ui.h"

namespace glassformer {

/// What the room answered to a step, as files of answers brought it.
const std::vector<std::vector<float>>& roomOf(const Ui& ui, int step);
/// How many of the room took each choice.
std::vector<int> choicesOfRoom(const Ui& ui, int step, std::size_t choices);
/// How many there are and, once `answer` is known, how many are right. Numbers are points on a line, bars on
/// a line each; tokens and cells are counted, those named most often first.
void showRoom(Ui& ui, const LessonQuestion& question, int step, const Answer* answer, Box& rest);

}  // namespace glassformer
