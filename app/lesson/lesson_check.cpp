#include "app/lesson/lesson_check.h"

#include <algorithm>
#include <cmath>

#include "app/document/steps.h"
#include "app/drawing/scene_input.h"
#include "app/lesson/clues.h"
#include "app/lesson/lesson_picture.h"
#include "app/lesson/lesson_walk.h"
#include "app/lesson/measure.h"
#include "app/lesson/unit_metrics.h"
#include "app/scene/format.h"
#include "app/views/timeline/timeline_scene.h"
#include "app/views/views.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

// A step as it is shown, and what was computed for it.
struct ShownStep {
  Workspace workspace;
  std::shared_ptr<const Snapshot> snapshot;
};

// What the window writes: the picture, what comes next, and the length of the text, as far as the step does
// not cover them.
Clues cluesIn(const ShownStep& shown, const Lesson& lesson, const LessonStep& asking) {
  constexpr Point room{1200, 900};
  const auto& [workspace, snapshot] = shown;
  const Theme theme = darkTheme();
  const UnitMetrics metrics;
  const SceneInput input{workspace, *snapshot, room, theme, metrics, {}};
  const Cover cover = coveredNow(&lesson, workspace);
  std::vector<ShownText> texts;
  const auto add = [&](const char* where, const Scene& scene) {
    for (const Shape& shape : scene.shapes)
      if (const auto* text = std::get_if<Text>(&shape)) texts.push_back({where, text->text, text->value});
  };
  Scene picture = viewOf(workspace.view).scene(input);
  adaptToStep(picture, lesson, workspace, *snapshot, theme);
  if (!cover.stage) add("Stage", picture);
  if (!cover.next && !cover.tokens) add("Timeline", timelineScene(input));
  for (const Stream stream : {Stream::Text, Stream::Source})
    if (const int count = snapshot->pass->countOf(stream); count > 0 && !cover.tokens)
      texts.push_back({"Input", std::to_string(count) + " tokens", {}});
  return {asking, *snapshot, std::move(texts), !cover.tokens};
}

// The faults of one step.
class Check {
 public:
  Check(const Lesson& lesson, const LessonStep& step, std::vector<std::string>& faults)
      : lesson_(lesson), step_(step), faults_(faults) {}

  void names(const Workspace& workspace) {
    const auto known = std::ranges::find(views(), workspace.view, &View::id);
    if (known == views().end()) return fault("view", "no view " + inQuotes(workspace.view));
    const auto picture = workspace.settings.pictures.find(workspace.view);
    if (picture != workspace.settings.pictures.end() &&
        std::ranges::find(known->pictures, picture->second, &Picture::id) == known->pictures.end())
      fault("picture", "the view has no picture " + inQuotes(picture->second));
  }

  void computed(const ShownStep& shown, bool revealed) {
    const auto& [workspace, computed] = shown;
    const Snapshot& snapshot = *computed;
    if (snapshot.standing.failed()) return revealed ? fault("model", snapshot.standing.error) : void();
    if (!revealed) {
      if (!step_.until.empty()) todo(snapshot);
      return;
    }
    if (snapshot.model->config && workspace.view == "step" && !workspace.step.empty()) {
      const auto steps = stepsOf(*snapshot.model->transformer);
      if (std::ranges::none_of(steps, [&](const Step& known) { return nameOf(known) == workspace.step; }))
        fault("step", "the model has no step " + inQuotes(workspace.step));
    }
    for (const std::string& cells : step_.highlights)
      if (const auto named = namedCells(cells, snapshot); !named) fault("highlight", named.error().message());
    for (const std::string& claim : step_.claims) {
      const auto measured = measure(claim, snapshot);
      if (!measured)
        fault("claim", measured.error().message());
      else if (!measured->isTrue())
        fault("claim", claim + " is false" + leftSide(claim, snapshot));
    }
    if (!step_.question) return;
    why(step_.question->why);
    const auto answer = answerOf(*step_.question, snapshot);
    if (!answer)
      fault("answer", answer.error().message());
    else if (step_.question->kind == LessonQuestion::Kind::Choice && answer->choice < 0)
      fault("answer", "it is " + inQuotes(answer->words) + ", which is none of the choices");
  }

  // While it waits, and at the end of the step before where that is about the same.
  void waits(const ShownStep& shown, const std::optional<ShownStep>& last) {
    clues_.push_back(cluesIn(shown, lesson_, step_));
    if (last && last->workspace.content() == shown.workspace.content())
      clues_.push_back(cluesIn(*last, lesson_, step_));
  }
  void answered(const ShownStep& shown) {
    const auto answer = answerOf(*step_.question, *shown.snapshot);
    std::string given;
    for (const Clues& all : clues_) given += answer ? all.givenAway(*answer) : "";
    if (!given.empty()) fault("cover", "this gives the answer away: " + given.substr(0, 200));
  }

 private:
  void why(const std::string& sentence) {
    constexpr std::ptrdiff_t most = 20;
    if (sentence.empty()) fault("why", "write one sentence, for the answer");
    if (std::ranges::count(sentence, ' ') >= most) fault("why", "it has more than 20 words");
  }
  void todo(const Snapshot& snapshot) {
    const auto done = measure(step_.until, snapshot);
    if (!done)
      fault("until", done.error().message());
    else if (done->isTrue())
      fault("until", step_.until + " is true from the start");
  }
  // " (0.7311)": what was measured.
  static std::string leftSide(const std::string& claim, const Snapshot& snapshot) {
    const std::size_t sign = claim.find_first_of("<>=!");
    if (sign == std::string::npos) return "";
    const auto left = measure(claim.substr(0, sign), snapshot);
    return left
               ? " (" +
                     (left->isWords ? inQuotes(left->words) : formatted(static_cast<float>(left->number()))) +
                     ")"
               : "";
  }
  void fault(const char* field, const std::string& why) {
    const auto line = step_.lines.find(field);
    faults_.push_back("line " + std::to_string(line == step_.lines.end() ? step_.line : line->second) + ", " +
                      field + ": " + why);
  }

  const Lesson& lesson_;
  const LessonStep& step_;
  std::vector<Clues> clues_;
  std::vector<std::string>& faults_;
};

}  // namespace

Result<Answer> answerOf(const LessonQuestion& question, const Snapshot& snapshot) {
  if (question.right >= 0)
    return Answer{question.right, {}, question.choices[static_cast<std::size_t>(question.right)].words()};
  const auto measured = measure(question.answer, snapshot);
  if (!measured) return measured.error();
  Answer answer;
  for (const double value : measured->numbers) answer.values.push_back(static_cast<float>(value));
  answer.words = measured->isWords           ? measured->words
                 : answer.values.size() == 1 ? formatted(answer.values.front())
                                             : "";
  using Kind = LessonQuestion::Kind;
  if (question.kind == Kind::Choice) {
    if (measured->isWords) {
      const auto found = std::ranges::find(question.choices, answer.words, &Paragraph::words);
      if (found != question.choices.end()) answer.choice = static_cast<int>(found - question.choices.begin());
    } else if (!answer.values.empty()) {  // counted from 0
      const float which = answer.values.front();
      if (which >= 0 && which < static_cast<float>(question.choices.size()))
        answer.choice = static_cast<int>(which),
        answer.words = question.choices[static_cast<std::size_t>(which)].words();
    }
    return answer;
  }
  const std::size_t needed = question.kind == Kind::Bars   ? question.choices.size()
                             : question.kind == Kind::Cell ? 2
                                                           : 1;
  if (measured->isWords || answer.values.size() != needed)
    return Error{"it is not " + std::to_string(needed) + (needed == 1 ? " number" : " numbers"),
                 question.answer, ""};
  if (std::ranges::any_of(answer.values, [](float v) { return !std::isfinite(v); }))
    return Error{"not a finite number", question.answer, ""};
  if (question.kind == Kind::Token || question.kind == Kind::Cell) {
    answer.words.clear();
    for (const float value : answer.values) {
      const auto at = static_cast<std::size_t>(std::max(value, 0.0f));
      if (at >= snapshot.pass->tokens.size()) return Error{"the text has no such token", question.answer, ""};
      answer.words += (answer.words.empty() ? "" : " attends to ") + snapshot.pass->tokens[at].label;
    }
  }
  return answer;
}

float furthestOff(const Guess& prediction, const Answer& answer) {
  float off = 0;
  for (std::size_t i = 0; i < std::min(answer.values.size(), prediction.values.size()); ++i)
    off = std::max(off, std::abs(answer.values[i] - prediction.values[i]));
  return off;
}

bool isRight(const LessonQuestion& question, const Guess& prediction, const Answer& answer) {
  using Kind = LessonQuestion::Kind;
  if (prediction.values.empty()) return false;
  if (question.kind == Kind::Choice) return prediction.values.front() == static_cast<float>(answer.choice);
  if (answer.values.size() != prediction.values.size()) return false;
  const bool isPlace = question.kind == Kind::Token || question.kind == Kind::Cell;
  return furthestOff(prediction, answer) <= (isPlace ? 0 : question.tolerance);
}

std::vector<std::string> faultsOf(const Lesson& lesson, const ComputedFor& computed) {
  std::vector<std::string> faults;
  Workspace now = initialWorkspace();
  std::optional<ShownStep> last;  // the end of the step before
  for (int i = 0; i < lesson.stepCount(); ++i) {
    const LessonStep& step = lesson.steps[static_cast<std::size_t>(i)];
    Check check(lesson, step, faults);
    for (const bool revealed : {false, true}) {
      if (step.question) now.lesson.guesses[i] = {{0}, revealed};
      const auto workspace = workspaceAt(lesson, i, now);
      if (!workspace) {
        faults.push_back("line " + std::to_string(step.line) + ": " + workspace.error().message());
        break;
      }
      const ShownStep shown{*workspace, computed(*workspace)};
      if (revealed) check.names(*workspace);
      check.computed(shown, revealed);
      if (shown.snapshot->standing.failed()) continue;
      if (step.question) revealed ? check.answered(shown) : check.waits(shown, last);
      if (revealed) last = shown;
    }
  }
  return faults;
}

}  // namespace glassformer
