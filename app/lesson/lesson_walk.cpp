#include "app/lesson/lesson_walk.h"

#include <algorithm>

#include "app/document/model_commands.h"
#include "app/document/workspace_json.h"
#include "app/lesson/lesson_patch.h"

namespace glassformer {
namespace fs = std::filesystem;

namespace {

bool isMade(const LessonProgress& progress, int step) {
  const auto found = progress.guesses.find(step);
  return found != progress.guesses.end() && found->second.isMade;
}

// What the user is shown, and has; not how far the lesson has got.
void show(Workspace& w, const Lesson& lesson, int step) {
  if (const auto shown = workspaceAt(lesson, step, w)) w = *shown;
}

// A patch, in which models beside the lesson's file are called from there.
Status apply(const std::string& patch, const Lesson& lesson, Workspace& w) {
  const Status applied = applyLessonPatch(w, patch);
  w.model = modelNamed(w.model, lesson), w.recordedTrace = modelNamed(w.recordedTrace, lesson);
  return applied;
}

// The step that what a step shows is built on: the first, or one of a lecture that begins by itself.
int beginOf(const Lesson& lesson, int step) {
  int i = std::min(step, lesson.stepCount() - 1);
  while (i > 0 && lesson.steps[static_cast<std::size_t>(i)].begins.empty()) --i;
  return i;
}

}  // namespace

std::string modelNamed(const std::string& model, const Lesson& lesson) {
  if (!model.starts_with("./")) return model;
  return fs::absolute(lesson.file.parent_path() / model).lexically_normal().string();
}

Result<Workspace> workspaceAt(const Lesson& lesson, int step, const Workspace& now) {
  Workspace w = initialWorkspace();
  commands::setModel(modelNamed(lesson.model, lesson)).apply(w);
  for (int i = beginOf(lesson, step); i <= std::min(step, lesson.stepCount() - 1); ++i) {
    const LessonStep& at = lesson.steps[static_cast<std::size_t>(i)];
    if (!at.begins.empty()) commands::setModel(at.begins).apply(w);
    std::vector<std::string> patches = at.before;
    patches.push_back(at.shown);
    // Earlier answers are known, made or passed over.
    if (i < step || !at.question || isMade(now.lesson, i)) patches.push_back(at.revealed);
    for (const std::string& patch : patches)
      if (Status applied = apply(patch, lesson, w); !applied)
        return Error{applied.error().message(), "step " + std::to_string(i + 1), ""};
  }
  w.look = now.look, w.machine = now.machine, w.figure = now.figure, w.plan = now.plan, w.desks = now.desks;
  w.left = now.left;
  w.schedules = now.schedules, w.setUp = now.setUp;
  w.lesson = now.lesson;
  w.lesson.step = step;
  return w;
}

bool isOnPath(const Lesson& lesson, const Workspace& now) {
  const int step = stepOf(lesson, now);
  auto then = workspaceAt(lesson, step, now);
  // A cell is chosen on the stage.
  const auto& question = lesson.steps[static_cast<std::size_t>(step)].question;
  if (then && question && question->kind == LessonQuestion::Kind::Cell)
    then->selection.query = now.selection.query, then->selection.key = now.selection.key;
  return then && then->content() == now.content() && then->inquiry() == now.inquiry() &&
         then->view == now.view && then->settings == now.settings;
}

int stepOf(const Lesson& lesson, const Workspace& workspace) {
  return std::clamp(workspace.lesson.step, 0, lesson.stepCount() - 1);
}

bool isWaiting(const Lesson& lesson, const Workspace& workspace) {
  const int step = stepOf(lesson, workspace);
  return lesson.steps[static_cast<std::size_t>(step)].question && !isMade(workspace.lesson, step);
}

Cover coveredNow(const Lesson* lesson, const Workspace& workspace) {
  if (!lesson) return {};
  const LessonStep& step = lesson->steps[static_cast<std::size_t>(stepOf(*lesson, workspace))];
  return !step.question || isWaiting(*lesson, workspace) ? step.covers : Cover{};
}

std::string reachedWords(const Lesson& lesson, const Look& look) {
  const auto found = look.reached.find(lesson.id);
  const int reached = found == look.reached.end() ? 0 : found->second;
  if (reached >= lesson.stepCount()) return "✓";
  if (reached > 0) return std::to_string(reached) + " of " + std::to_string(lesson.stepCount());
  return std::to_string(lesson.minutes) + " min";
}

namespace commands {

Command goToLessonStep(std::shared_ptr<const Lesson> lesson, int step) {
  return {[lesson, step](Workspace& w) {
            if (!w.lesson.isOpen()) {
              const std::string before = toJson(w);
              w.lesson = {};
              w.lesson.before = before;
            } else if (w.lesson.lesson != lesson->id) {
              w.lesson = {.before = std::move(w.lesson.before)};
            }
            w.lesson.lesson = lesson->id;
            show(w, *lesson, std::clamp(step, 0, lesson->stepCount() - 1));
          },
          "lesson"};
}

Command closeLesson() {
  return {[](Workspace& w) {
            const auto before = workspaceFromJson(w.lesson.before);
            if (before) {
              const Look look = w.look;
              const Machine machine = w.machine;
              w = *before;
              w.look = look, w.machine = machine;
            }
            w.lesson = {};
          },
          "closing the lesson"};
}

Command predict(std::shared_ptr<const Lesson> lesson, Guess prediction) {
  return {[lesson, prediction](Workspace& w) {
            const int step = stepOf(*lesson, w);
            w.lesson.guesses[step] = prediction;
            const std::string& reveals = lesson->steps[static_cast<std::size_t>(step)].revealed;
            if (!prediction.isMade) return;
            // Off the path it is asked about what is there.
            Workspace revealed = w;
            if (apply(reveals, *lesson, revealed)) w = std::move(revealed);
          },
          "prediction"};
}

Command countVotes(int step, int choice, int by) {
  return {[=](Workspace& w) {
            std::vector<int>& votes = w.lesson.votes[step];
            const auto i = static_cast<std::size_t>(choice);
            votes.resize(std::max(votes.size(), i + 1));
            votes[i] = std::clamp(votes[i] + by, 0, 100000);
          },
          ""};
}

Command finishStep(int step) {
  return {[step](Workspace& w) { w.lesson.done.insert(step); }, ""};
}

Command uncoverHint(int step) {
  return {[step](Workspace& w) { ++w.lesson.hints[step]; }, ""};
}

}  // namespace commands
}  // namespace glassformer
