#include "app/panels/lesson_panel.h"

#include <algorithm>

#include "app/document/view_commands.h"
#include "app/lesson/lesson_shelf.h"
#include "app/lesson/lesson_walk.h"
#include "app/lesson/measure.h"
#include "app/lesson/prose.h"
#include "app/panels/action.h"
#include "app/panels/lesson_words.h"
#include "app/panels/widgets.h"
#include "app/toolkit/item_log.h"

namespace glassformer {

namespace {

constexpr float lessonMargin = 20, lessonTitleHeight = 40, lessonFootHeight = 56, scrollStep = 48;

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
  if (at != step_ || ui.lesson->id != lesson_)
    step_ = at, lesson_ = ui.lesson->id, scroll_ = 0, saysVerdict_ = false;
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
  const float hidden = showStep(ui, ui.lesson->steps[static_cast<std::size_t>(at)], body) - rest.bottom();
  if (hidden > 0) scroll_ += hidden, ui.animating = true;
  height_ = body.y - begin;
  ImGui::PopClipRect();
  if (height_ - scroll_ > rest.height + 1) {
    logRegion("continued##lesson", ui.screen({rest.right() - 48, rest.bottom()}),
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
                      {.icon = "✕", .tip = "Close the lesson and restore the earlier state"}))
    ui.emit(commands::closeLesson());
  if (widgets::button(ui, "Lessons##lesson", {title.right() - 68, title.y + 4, 32, 32},
                      {.icon = "☰", .tip = "All lessons   " + keyText(actionOf("lessons"))}))
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
            {.look = widgets::Look::Primary, .tip = "Close the lesson and restore the earlier state"}))
      ui.emit(commands::closeLesson());
  } else if (widgets::button(
                 ui, next, box,
                 {.look = widgets::Look::Primary, .tip = "Next page   " + keyText(actionOf("next-page"))})) {
    turnLessonPage(ui, 1);
  }
  row.takeRight(8);
  if (widgets::button(ui, "Back##lesson", row.takeRight(64),
                      {.look = widgets::Look::Raised,
                       .enabled = at > 0,
                       .tip = "Previous page   " + keyText(actionOf("previous-page"))}))
    turnLessonPage(ui, -1);
  row.takeRight(8);
  if (isOnPath(ui)) {
    ui.drawText({row.x, row.center().y}, std::to_string(at + 1) + " of " + std::to_string(last + 1),
                ui.theme.note());
  } else if (widgets::button(
                 ui, "Restore page", {row.x, row.y, std::min(row.width, 140.0f), row.height},
                 {.look = widgets::Look::Raised,
                  .tip = "State of this page as the author set it   " + keyText(actionOf("restore-page"))})) {
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

// Down to where a verdict reaches that was not there before, for that is to be seen; else 0.
float LessonPanel::showStep(Ui& ui, const LessonStep& step, Box& rest) {
  const ScreenMetrics metrics = ui.metrics();
  const LaidProse laid = layProse(step.prose, {rest.x, rest.y}, rest.width, metrics, ui.theme, Theme::body);
  const bool scrolls = scroll_ > 0;  // then the edge cuts lines
  for (const Shape& shape : laid.shapes)
    ui.painter.paint(ImGui::GetWindowDrawList(), shape, {{0, 0}, ui.scale}, scrolls);
  rest.takeTop(laid.height + 16);
  const bool saidBefore = saysVerdict_;
  saysVerdict_ = step.question && question_.show(ui, *step.question, step_, rest);
  const float end = saysVerdict_ && !saidBefore ? rest.y : 0;
  showTodo(ui, step, rest);
  const bool isAnswered = step.question && !isWaiting(*ui.lesson, ui.workspace());
  if (!isAnswered) showHints(ui, step, rest);
  showNote(ui, step, rest);
  showNextLesson(ui, rest);
  return end;
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

// When it is done, it is said.
void LessonPanel::showTodo(Ui& ui, const LessonStep& step, Box& rest) {
  if (step.until.empty() || !isSnapshotCurrent(ui)) return;
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
  for (std::size_t i = 0; i < uncovered; ++i)
    showLessonWords(ui, step.hints[i], Theme::small, ui.theme.quiet, rest);
  if (uncovered == step.hints.size()) return;
  const Box row = rest.takeTop(28);
  if (!widgets::isCutOff(ui, row) && widgets::button(ui, uncovered ? "Another hint" : "Hint",
                                                     {row.x - 8, row.y, uncovered ? 108.0f : 56.0f, 28}, {}))
    ui.emit(commands::uncoverHint(step_));
  rest.takeTop(8);
}

// In a presentation it is in the speaker's window, and not before the room.
void LessonPanel::showNote(Ui& ui, const LessonStep& step, Box& rest) {
  if (step.note.empty() || ui.presenting) return;
  const Box row = rest.takeTop(28);
  if (widgets::button(ui, "Notes", {row.x - 8, row.y, 116, 28},
                      {.on = noteShown_, .tip = "Notes for the lecturer"}))
    noteShown_ = !noteShown_;
  rest.takeTop(4);
  if (noteShown_) showLessonWords(ui, step.note, Theme::small, ui.theme.quiet, rest);
}

}  // namespace glassformer
