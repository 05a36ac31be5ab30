#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/document/workspace.h"
#include "app/engine/snapshot.h"
#include "app/lesson/lesson.h"
#include "core/result.h"

namespace glassformer {

/// What a prediction comes to, measured on the learner's own run.
struct Answer {
  int choice = -1;            ///< which of the choices; -1: none of them
  std::vector<float> values;  ///< the number, the token's position, those of a cell, or every bar's height
  std::string words;          ///< "animal", "0.83"
};
/// An error while what it needs is not computed yet, or where the run has no such thing.
Result<Answer> answerOf(const LessonQuestion& question, const Snapshot& snapshot);
/// How far the worst of its numbers is off.
float furthestOff(const Guess& prediction, const Answer& answer);
/// Whether a prediction is right, or near enough.
bool isRight(const LessonQuestion& question, const Guess& prediction, const Answer& answer);

/// Everything that a view would show of a workspace, computed to its end.
using ComputedFor = std::function<std::shared_ptr<const Snapshot>(const Workspace&)>;

/// Computes every step and holds it to what it claims: patches apply, highlighted cells and views are there,
/// questions have an answer that nothing gives away before and say why, claims are true, and what is to be
/// tried is not true from the start. Each fault with line and field; none where all holds.
std::vector<std::string> faultsOf(const Lesson& lesson, const ComputedFor& computed);

}  // namespace glassformer
