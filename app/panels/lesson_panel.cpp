#include "app/panels/lesson_panel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "app/document/view_commands.h"
#include "app/lesson/lesson_shelf.h"
#include "app/lesson/lesson_walk.h"
#include "app/lesson/measure.h"
#include "app/lesson/prose.h"
#include "app/panels/action.h"
#include "app/panels/number_field.h"
#include "app/panels/room_answers.h"
#include "app/panels/widgets.h"
#include "app/scene/format.h"
#include "app/toolkit/item_log.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

constexpr float lessonMargin = 20, lessonTitleHeight = 40, lessonFootHeight = 56, choicePadding = 20,
                barRowHeight = 44, scrollStep = 48;

TextStyle lessonWords(const Ui& ui) { return {FontFace::Ui, Theme::body, ui.theme.text}; }

std::string letterOf(std::size_t i) { return std::string(1, static_cast<char>('A' + i % 26)); }

Guess guessOf(const Ui& ui) {
  const auto& all = ui.workspace().lesson.guesses;
  const auto found = all.find(stepOf(*ui.lesson, ui.workspace()));
  return found == all.end() ? Guess{} : found->second;
}

// Hands that were counted; what was handed in comes on top of these.
std::vector<int> votesOf(const Ui& ui, int step) {
  const auto& all = ui.workspace().lesson.votes;
  const auto found = all.find(step);
  return found == all.end() ? std::vector<int>{} : found->second;
}

// What part of the room is for a choice: a bar at the foot of its row, and how many.
void showShare(Ui& ui, const Box& row, int votes, int all) {
  const float part = static_cast<float>(votes) / static_cast<float>(all);
  ui.draw(
      Rect{{row.x + 4, row.bottom() - 7, (row.width - 8) * part, 4}, ui.theme.feedForward, {0, 0, 0, 0}, 2});
  ui.drawText({row.right() - 40, row.center().y}, std::to_string(votes),
              {FontFace::Mono, Theme::body, ui.theme.text}, Align::End);
}

// The snapshot is of what is asked about, once what the answer was to be hidden by is taken away.
bool isCurrent(const Ui& ui) {
  return ui.snapshot.pass->text == ui.workspace().text &&
         ui.snapshot.standing.asked == ui.workspace().model && ui.snapshot.revision == ui.history.revision();
}

}  // namespace

void turnLessonPage(Ui& ui, int by) {
  if (!ui.lesson) return;
  const int step = stepOf(*ui.lesson, ui.workspace()) + by;
  if (step >= 0 && step < ui.lesson->stepCount()) ui.emit(commands::goToLessonStep(ui.lesson, step));
}

void LessonPanel::content(Ui& ui, const Box& area) {
  ui.draw(Rect{{area.x, area.y, 1, area.height}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
  Box rest = area.inset(lessonMargin, 8);
  showTitle(ui, rest);
  if (!ui.lesson) {
    widgets::paragraph(ui, rest,
                       "The lesson " + ui.workspace().lesson.lesson + " cannot be read" +
                           (ui.lessons->wrong().empty() ? "." : ": " + ui.lessons->wrong()),
                       {FontFace::Ui, Theme::small, ui.theme.broken});
    return;
  }
  const int at = stepOf(*ui.lesson, ui.workspace());
  if (at != step_ || ui.lesson->id != lesson_) step_ = at, lesson_ = ui.lesson->id, scroll_ = 0;
  noteReached(ui, at);
  showFoot(ui, rest.takeBottom(lessonFootHeight));
  if (!ui.lessons->wrong().empty())
    widgets::paragraph(ui, rest, ui.lessons->wrong(), {FontFace::Ui, Theme::small, ui.theme.broken});
  rest.takeTop(8);
  if (rest.contains(ui.pointer())) scroll_ -= ImGui::GetIO().MouseWheel * scrollStep;
  scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, height_ - rest.height));
  const ImVec2 low = ui.screen({rest.x - lessonMargin, rest.y}),
               high = ui.screen({rest.right() + lessonMargin, rest.bottom()});
  ImGui::PushClipRect(low, high, true);
  Box body{rest.x, rest.y - scroll_, rest.width, 100000};
  const float begin = body.y;
  showStep(ui, ui.lesson->steps[static_cast<std::size_t>(at)], body);
  height_ = body.y - begin;
  ImGui::PopClipRect();
  if (height_ - scroll_ > rest.height + 1) {
    logRegion("goes on##lesson", ui.screen({rest.right() - 48, rest.bottom()}),
              ui.screen({rest.right(), rest.bottom() + 12}));
    ui.drawText({rest.right(), rest.bottom() + 6}, "▾ more", ui.theme.note(), Align::End);
  }
}

// How far one came is remembered, for the lists of lessons.
void LessonPanel::noteReached(Ui& ui, int step) {
  Look look = ui.workspace().look;
  int& reached = look.reached[ui.lesson->id];
  if (reached > step) return;
  reached = step + 1;
  ui.emit(commands::setLook(std::move(look)));
}

// What it is called, and a mark for each step, which leads there.
void LessonPanel::showTitle(Ui& ui, Box& rest) {
  Box title = rest.takeTop(lessonTitleHeight);
  if (widgets::button(ui, "Close##lesson", {title.right() - 32, title.y + 4, 32, 32},
                      {.icon = "✕", .tip = "close the lesson: what was here before comes back"}))
    ui.emit(commands::closeLesson());
  if (widgets::button(ui, "Lessons##lesson", {title.right() - 68, title.y + 4, 32, 32},
                      {.icon = "☰", .tip = "all lessons   " + keyText(actionOf("Lessons"))}))
    ui.ask(Request::Lessons);
  if (!ui.lesson) return;
  const int count = ui.lesson->stepCount(), at = stepOf(*ui.lesson, ui.workspace());
  const std::string& topic = ui.lesson->steps[static_cast<std::size_t>(at)].topic;
  ui.drawText({title.x, title.y + 20}, topic.empty() ? ui.lesson->title : topic,
              {FontFace::Strong, Theme::small, ui.theme.quiet}, Align::Start, title.width - 80);
  Box marks = rest.takeTop(16);
  const float each = marks.width / static_cast<float>(count);
  for (int i = 0; i < count; ++i) {
    const Box mark{marks.x + static_cast<float>(i) * each, marks.y, each, marks.height};
    const std::string label = "step " + std::to_string(i + 1) + "##lesson";
    if (widgets::hotArea(ui, label.c_str(), mark)) ui.emit(commands::goToLessonStep(ui.lesson, i));
    nameLastItem(label.c_str(), i == at);
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) widgets::tooltip(ui, std::to_string(i + 1) + " of " + std::to_string(count));
    ui.draw(Rect{{mark.x + 1, mark.y + 6, each - 2, 4},
                 i == at   ? ui.theme.accent
                 : i < at  ? ui.theme.accent.faded(0.45f)
                 : hovered ? ui.theme.quiet
                           : ui.theme.line,
                 {0, 0, 0, 0},
                 2});
  }
}

void LessonPanel::showFoot(Ui& ui, Box foot) {
  ui.draw(Rect{
      {foot.x - lessonMargin, foot.y, foot.width + 2 * lessonMargin, 1}, ui.theme.line, {0, 0, 0, 0}, 0});
  Box row{foot.x, foot.y + 14, foot.width, Theme::control};
  const int at = stepOf(*ui.lesson, ui.workspace()), last = ui.lesson->stepCount() - 1;
  const char* const next = at == last ? "Done##lesson" : "Next##lesson";
  const Box box = row.takeRight(80);
  if (at == last) {
    if (widgets::button(
            ui, next, box,
            {.look = widgets::Look::Primary, .tip = "close the lesson: what was here before comes back"}))
      ui.emit(commands::closeLesson());
  } else if (widgets::button(ui, next, box,
                             {.look = widgets::Look::Primary,
                              .tip = "the next step   " + keyText(actionOf("Next page"))})) {
    turnLessonPage(ui, 1);
  }
  row.takeRight(8);
  if (widgets::button(ui, "Back##lesson", row.takeRight(64),
                      {.look = widgets::Look::Raised,
                       .enabled = at > 0,
                       .tip = "the step before   " + keyText(actionOf("Previous page"))}))
    turnLessonPage(ui, -1);
  row.takeRight(8);
  if (isOnPath(ui)) {
    ui.drawText({row.x, row.center().y}, std::to_string(at + 1) + " of " + std::to_string(last + 1),
                ui.theme.note());
  } else if (widgets::button(
                 ui, "Back to the lesson", {row.x, row.y, std::min(row.width, 140.0f), row.height},
                 {.look = widgets::Look::Raised,
                  .tip = "show again what this step shows   " + keyText(actionOf("Back to the lesson"))})) {
    ui.emit(commands::goToLessonStep(ui.lesson, at));
  }
}

// Every patch up to here is applied for that: only where something has changed.
bool LessonPanel::isOnPath(const Ui& ui) {
  if (pathOf_ != ui.lesson || pathAt_ != ui.history.revision()) {
    pathOf_ = ui.lesson, pathAt_ = ui.history.revision();
    onPath_ = glassformer::isOnPath(*ui.lesson, ui.workspace());
  }
  return onPath_;
}

void LessonPanel::showStep(Ui& ui, const LessonStep& step, Box& rest) {
  const ScreenMetrics metrics = ui.metrics();
  const LaidProse laid = layProse(step.prose, {rest.x, rest.y}, rest.width, metrics, ui.theme, Theme::body);
  for (const Shape& shape : laid.shapes) ui.draw(shape);
  rest.takeTop(laid.height + 16);
  if (step.question) showQuestion(ui, *step.question, rest);
  showTodo(ui, step, rest);
  showHints(ui, step, rest);
  showNote(ui, step, rest);
  showNextLesson(ui, rest);
}

// From the last step to the lesson that comes next.
void LessonPanel::showNextLesson(Ui& ui, Box& rest) {
  const auto& ships = ui.lessons->ships();
  const auto here = std::ranges::find(ships, ui.lesson->id, [](const auto& lesson) { return lesson->id; });
  const bool isLast = step_ + 1 == ui.lesson->stepCount();
  if (!isLast || here == ships.end() || here + 1 == ships.end()) return;
  const auto& next = *(here + 1);
  const Box row = rest.takeTop(Theme::control);
  if (widgets::button(ui, "Next lesson", {row.x, row.y, 112, row.height},
                      {.look = widgets::Look::Raised, .tip = next->title}))
    ui.emit(commands::goToLessonStep(next, 0));
}

void LessonPanel::showQuestion(Ui& ui, const LessonQuestion& question, Box& rest) {
  const Guess prediction = guessOf(ui);
  std::optional<Result<Answer>> answer;
  if (prediction.isMade && isCurrent(ui)) answer.emplace(answerOf(question, ui.snapshot));
  const Answer* const known = answer && *answer ? &**answer : nullptr;
  switch (question.kind) {
    case LessonQuestion::Kind::Choice:
      showChoices(ui, question, known, rest);
      showVotes(ui, question, rest);
      break;
    case LessonQuestion::Kind::Number:
      showNumber(ui, rest);
      break;
    case LessonQuestion::Kind::Token:
      showTokens(ui, known, rest);
      break;
    case LessonQuestion::Kind::Cell:
      showCell(ui, rest);
      break;
    case LessonQuestion::Kind::Bars:
      showBars(ui, question, known, rest);
      break;
  }
  showRoom(ui, question, step_, known, rest);
  if (prediction.isMade) {
    if (answer)
      showVerdict(ui, question, *answer, rest);
    else
      widgets::paragraph(ui, rest, "Measuring …", ui.theme.note(), 16);
  }
}

void LessonPanel::predict(Ui& ui, std::vector<float> values, bool made) {
  ui.emit(commands::predict(ui.lesson, {std::move(values), made}));
}

// A room votes by hands, and whoever presents counts: with the wheel, or click by click.
void LessonPanel::showVotes(Ui& ui, const LessonQuestion& question, Box& rest) {
  const Box row = rest.takeTop(28);
  if (widgets::button(ui, "The room votes", {row.x - 8, row.y, 120, 28},
                      {.on = voting_, .tip = "count hands for each choice"}))
    voting_ = !voting_;
  rest.takeTop(8);
  if (!voting_) return;
  const std::vector<int> votes = votesOf(ui, step_);
  for (std::size_t i = 0; i < question.choices.size(); ++i) {
    const int before = i < votes.size() ? votes[i] : 0;
    const widgets::NumberOptions options{
        .low = 0, .high = 10000, .tip = "hands for this choice", .width = 136};
    const Box field = rest.takeTop(Theme::control);
    const std::string name = letterOf(i) + "##votes";
    const float after =
        widgets::numberField(ui, name.c_str(), {field.x, field.y, 40 + options.width, field.height},
                             static_cast<float>(before), options);
    if (static_cast<int>(after) != before)
      ui.emit(commands::countVotes(step_, static_cast<int>(i), static_cast<int>(after) - before));
    rest.takeTop(4);
  }
  rest.takeTop(8);
}

// Large, with a letter each, as one calls them out in a room.
void LessonPanel::showChoices(Ui& ui, const LessonQuestion& question, const Answer* answer, Box& rest) {
  const Guess prediction = guessOf(ui);
  const int own = prediction.values.empty() ? -1 : static_cast<int>(prediction.values.front());
  std::vector<int> votes = choicesOfRoom(ui, step_, question.choices.size());
  const std::vector<int> counted = votesOf(ui, step_);
  for (std::size_t i = 0; i < std::min(votes.size(), counted.size()); ++i) votes[i] += counted[i];
  const int hands = std::accumulate(votes.begin(), votes.end(), 0);
  if (!prediction.isMade) ui.lettersTaken = static_cast<int>(question.choices.size());
  for (std::size_t i = 0; i < question.choices.size(); ++i) {
    const auto lines = wrapped(ui.metrics(), question.choices[i], FontFace::Ui, Theme::body,
                               rest.width - (hands ? 128 : 80));
    const Box row = rest.takeTop(choicePadding + 22 * static_cast<float>(lines.size()));
    const std::string label = letterOf(i) + ": " + question.choices[i] + "##choice";
    const bool mine = static_cast<int>(i) == own, right = answer && static_cast<int>(i) == answer->choice;
    const bool byKey =
        !ui.typing && ImGui::GetIO().KeyMods == 0 &&
        ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_A + static_cast<int>(i % 26)), false);
    if ((widgets::listRow(ui, label, row, mine) || byKey) && !prediction.isMade)
      predict(ui, {static_cast<float>(i)}, true);
    if (hands > 0) showShare(ui, row, votes[i], hands);
    const Rgba edge = right ? ui.theme.accent : ui.theme.line;
    ui.draw(Rect{row.inset(0.5f), {0, 0, 0, 0}, edge, Theme::radius, right ? 2.0f : 1.0f});
    ui.drawText({row.x + 20, row.center().y}, letterOf(i),
                {FontFace::Strong, Theme::body, right ? ui.theme.accent : ui.theme.quiet}, Align::Middle);
    float y = row.y + choicePadding / 2 + 11;
    for (const std::string& line : lines) {
      ui.drawText({row.x + 40, y}, line,
                  {right ? FontFace::Strong : FontFace::Ui, Theme::body, ui.theme.text});
      y += 22;
    }
    if (answer && (right || mine))
      ui.drawText({row.right() - 20, row.center().y}, right ? "✓" : "✗",
                  {FontFace::Strong, Theme::body, right ? ui.theme.accent : ui.theme.quiet}, Align::Middle);
    rest.takeTop(6);
  }
  rest.takeTop(8);
}

bool LessonPanel::checkButton(Ui& ui, Box& rest, bool enabled) {
  const Box row = rest.takeTop(Theme::control);
  rest.takeTop(12);
  return widgets::button(ui, "Check##lesson", {row.x, row.y, 88, row.height},
                         {.look = widgets::Look::Primary,
                          .enabled = enabled,
                          .tip = enabled ? "Compare with the model   Enter" : "Predict first"});
}

void LessonPanel::showNumber(Ui& ui, Box& rest) {
  const Guess prediction = guessOf(ui);
  const float before =
      prediction.values.empty() ? std::numeric_limits<float>::quiet_NaN() : prediction.values.front();
  const Box row = rest.takeTop(Theme::control);
  rest.takeTop(12);
  if (prediction.isMade) {
    ui.drawText({row.x, row.center().y}, "You said " + formatted(before), lessonWords(ui));
    return;
  }
  const widgets::NumberOptions options{.low = -1000,
                                       .high = 1000,
                                       .step = 0.05f,
                                       .decimals = 2,
                                       .tip = "drag it, or click and type",
                                       .width = 136};
  const float after =
      widgets::numberField(ui, "Your guess", {row.x, row.y, 88 + options.width, row.height}, before, options);
  const bool isFilled = !std::isnan(after), isChanged = isFilled && after != before;
  const bool entered = isChanged && ImGui::IsKeyPressed(ImGuiKey_Enter, false);
  if (isChanged) predict(ui, {after}, false);
  if (checkButton(ui, rest, isFilled) || entered) predict(ui, {after}, true);
}

void LessonPanel::showTokens(Ui& ui, const Answer* answer, Box& rest) {
  const Guess prediction = guessOf(ui);
  const int own = prediction.values.empty() ? -1 : static_cast<int>(prediction.values.front());
  constexpr float height = 30, gap = 4;
  float x = rest.x, y = rest.y;
  for (std::size_t i = 0; i < ui.snapshot.pass->tokens.size(); ++i) {
    const std::string& text = ui.snapshot.pass->tokens[i].label;
    const float width = ui.metrics().width(text, FontFace::Mono, Theme::small) + 14;
    if (x > rest.x && x + width > rest.right()) x = rest.x, y += height + gap;
    const Box chip{x, y, width, height};
    const bool mine = static_cast<int>(i) == own;
    const bool right =
        answer && !answer->values.empty() && static_cast<int>(answer->values.front()) == static_cast<int>(i);
    const std::string label = text + "##token " + std::to_string(i);
    if (widgets::listRow(ui, label, chip, mine) && !prediction.isMade)
      predict(ui, {static_cast<float>(i)}, true);
    ui.draw(Rect{
        chip.inset(0.5f), {0, 0, 0, 0}, right ? ui.theme.accent : ui.theme.line, 4, right ? 2.0f : 1.0f});
    ui.drawText(chip.center(), text, ui.theme.mono(), Align::Middle);
    x += width + gap;
  }
  rest.takeTop(y + height - rest.y + 12);
}

// On the stage itself: what is chosen there is the prediction.
void LessonPanel::showCell(Ui& ui, Box& rest) {
  const Guess prediction = guessOf(ui);
  const Selection& selection = ui.workspace().selection;
  const int query = ui.snapshot.positionOr(selection.query, Stream::Text), key = selection.key;
  const auto label = [&](float at) {
    const auto i = static_cast<std::size_t>(std::max(at, 0.0f));
    return i < ui.snapshot.pass->tokens.size() ? ui.snapshot.pass->tokens[i].label : std::string("?");
  };
  const std::vector<float> chosen =
      prediction.isMade ? prediction.values : std::vector{static_cast<float>(query), static_cast<float>(key)};
  const bool isChosen = chosen.size() == 2 && chosen[1] >= 0;
  widgets::paragraph(
      ui, rest, isChosen ? label(chosen[0]) + " looks at " + label(chosen[1]) : "Click a cell on the stage.",
      {FontFace::Mono, Theme::body, isChosen ? ui.theme.text : ui.theme.quiet}, 12);
  if (!prediction.isMade && checkButton(ui, rest, isChosen)) predict(ui, chosen, true);
}

// Dragged to where they are expected; what came stands below each.
void LessonPanel::showBars(Ui& ui, const LessonQuestion& question, const Answer* answer, Box& rest) {
  const Guess prediction = guessOf(ui);
  std::vector<float> values = prediction.values;
  values.resize(question.choices.size());
  bool changed = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Box row = rest.takeTop(barRowHeight);
    const Box words = row.takeTop(18);
    ui.drawText({words.x, words.center().y}, question.choices[i], ui.theme.mono(), Align::Start,
                words.width - 120);
    const std::string label = question.choices[i] + "##bar " + std::to_string(i);
    const Box track = row.takeTop(16);
    widgets::hotArea(ui, label.c_str(), track);
    nameLastItem(label.c_str(), false);
    if (!prediction.isMade && ImGui::IsItemActive()) {
      const float to = std::clamp((ui.pointer().x - track.x) / track.width, 0.0f, 1.0f);
      const float rounded = std::round(to * 100) / 100;
      changed |= rounded != values[i];
      values[i] = rounded;
    }
    if (ImGui::IsItemHovered() && !prediction.isMade) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    ui.draw(Rect{track, ui.theme.raised, {0, 0, 0, 0}, 3});
    const float half = answer ? track.height / 2 - 1 : track.height;
    ui.draw(Rect{
        {track.x, track.y, std::max(track.width * values[i], 2.0f), half}, ui.theme.quiet, {0, 0, 0, 0}, 2});
    std::string said = formattedFixed(values[i], 2);
    if (answer && i < answer->values.size()) {
      const float came = std::clamp(answer->values[i], 0.0f, 1.0f);
      ui.draw(Rect{{track.x, track.y + half + 2, std::max(track.width * came, 2.0f), half},
                   ui.theme.accent,
                   {0, 0, 0, 0},
                   2});
      said += " → " + formattedFixed(answer->values[i], 2);
    }
    ui.drawText({words.right(), words.center().y}, said, ui.theme.quietMono(), Align::End);
  }
  rest.takeTop(4);
  if (prediction.isMade) return;
  if (checkButton(ui, rest))
    predict(ui, values, true);
  else if (changed)
    predict(ui, values, false);
}

// "animal."; a choice of many words, which are marked above, by its letter.
static std::string sentenceOf(const Answer& answer) {
  constexpr std::size_t mostLetters = 24;
  const bool isLong = answer.choice >= 0 && answer.words.size() > mostLetters;
  const std::string words = isLong ? letterOf(static_cast<std::size_t>(answer.choice)) : answer.words;
  return words + (words.ends_with('.') ? "" : ".");
}

// What was predicted stays beside what came.
void LessonPanel::showVerdict(Ui& ui, const LessonQuestion& question, const Result<Answer>& answer,
                              Box& rest) {
  if (!answer)
    return widgets::paragraph(ui, rest, "This run has no answer: " + answer.error().message(),
                              {FontFace::Ui, Theme::small, ui.theme.broken}, 16);
  const bool right = isRight(question, guessOf(ui), *answer);
  std::string words;
  using Kind = LessonQuestion::Kind;
  if (question.kind == Kind::Bars)
    words = right ? "All within " + formatted(question.tolerance) + "."
                  : "Grey is what you expected, blue what the model computes.";
  else if (question.kind == Kind::Choice && answer->choice < 0)
    words = "In this run it is " + inQuotes(answer->words) + ", none of these.";
  else
    words = (right ? "Right: " : "Wrong: it is ") + sentenceOf(*answer);
  widgets::paragraph(ui, rest, words,
                     {FontFace::Strong, Theme::body, right ? ui.theme.accent : ui.theme.text}, 8);
  const Box row = rest.takeTop(28);
  if (widgets::button(ui, "Again##prediction", {row.x - 8, row.y, 64, 28},
                      {.tip = "take the prediction back"}))
    ui.emit(commands::predict(ui.lesson, {})), ui.emit(commands::goToLessonStep(ui.lesson, step_));
  rest.takeTop(8);
}

// When it is done, it is said.
void LessonPanel::showTodo(Ui& ui, const LessonStep& step, Box& rest) {
  if (step.until.empty() || !isCurrent(ui)) return;
  const auto done = measure(step.until, ui.snapshot);
  const auto& before = ui.workspace().lesson.done;
  const bool isDone = before.contains(step_) || (done && done->isTrue());
  if (isDone && !before.contains(step_)) ui.emit(commands::finishStep(step_));
  const Box row = rest.takeTop(28);
  ui.drawText({row.x, row.center().y}, isDone ? "✓  Done" : "○  To do",
              {FontFace::Strong, Theme::body, isDone ? ui.theme.accent : ui.theme.quiet});
  rest.takeTop(8);
}

void LessonPanel::showHints(Ui& ui, const LessonStep& step, Box& rest) {
  const auto found = ui.workspace().lesson.hints.find(step_);
  const std::size_t uncovered = std::min(
      found == ui.workspace().lesson.hints.end() ? 0 : static_cast<std::size_t>(std::max(found->second, 0)),
      step.hints.size());
  for (std::size_t i = 0; i < uncovered; ++i) widgets::paragraph(ui, rest, step.hints[i], ui.theme.note());
  if (uncovered == step.hints.size()) return;
  const Box row = rest.takeTop(28);
  if (widgets::button(ui, uncovered ? "Another hint" : "Hint",
                      {row.x - 8, row.y, uncovered ? 108.0f : 56.0f, 28}, {}))
    ui.emit(commands::uncoverHint(step_));
  rest.takeTop(8);
}

// In a presentation it is in the speaker's window, and not before the room.
void LessonPanel::showNote(Ui& ui, const LessonStep& step, Box& rest) {
  if (step.note.empty() || ui.presenting) return;
  const Box row = rest.takeTop(28);
  if (widgets::button(ui, "Speaker's note", {row.x - 8, row.y, 116, 28},
                      {.on = noteShown_, .tip = "what the lecturer is told"}))
    noteShown_ = !noteShown_;
  rest.takeTop(4);
  if (noteShown_) widgets::paragraph(ui, rest, step.note, ui.theme.note());
}

}  // namespace glassformer
