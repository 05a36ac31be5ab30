#pragma once
#include <memory>

#include "app/document/command.h"
#include "app/document/workspace.h"
#include "app/lesson/lesson.h"
#include "core/result.h"

namespace glassformer {

/// The model that a lesson calls so: "./mine" lies beside its file.
std::string modelNamed(const std::string& model, const Lesson& lesson);
/// What a step shows: the lesson's model, and the patches of all steps up to this one, that which reveals its
/// answer only where its prediction is made. How the window looks, and what else belongs to the user, is as
/// in `now`.
Result<Workspace> workspaceAt(const Lesson& lesson, int step, const Workspace& now);
/// Whether what is looked at is what the step shows. Everything may be changed; the way back is a click.
bool isOnPath(const Lesson& lesson, const Workspace& now);
/// The step that is open; one within the lesson, whatever the workspace says.
int stepOf(const Lesson& lesson, const Workspace& workspace);
/// Whether the open step asks something that nobody has answered yet.
bool isWaiting(const Lesson& lesson, const Workspace& workspace);
/// What is hidden for as long as it does; by a step that asks nothing, for the next one that does.
Cover coveredNow(const Lesson* lesson, const Workspace& workspace);

/// How far one came in a lesson: "✓" at its end, "3 of 10" on the way; before that how long it takes.
std::string reachedWords(const Lesson& lesson, const Look& look);

namespace commands {

/// Begins it, or goes to another of its steps. What lay here before is kept, and comes back when it is
/// closed.
Command goToLessonStep(std::shared_ptr<const Lesson> lesson, int step);
Command closeLesson();
/// What the learner expects at the step that is open. What reveals the answer is shown once it is made.
Command predict(std::shared_ptr<const Lesson> lesson, Guess prediction);
/// So many more, or fewer, of a room are for this choice; never fewer than none.
Command countVotes(int step, int choice, int by);
/// What is to be tried at a step was done: it stays so.
Command finishStep(int step);
/// One hint more.
Command uncoverHint(int step);

}  // namespace commands
}  // namespace glassformer
