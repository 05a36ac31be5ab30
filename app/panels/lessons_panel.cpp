#include "app/panels/lessons_panel.h"

#include <algorithm>

#include "app/lesson/lesson_shelf.h"
#include "app/lesson/lesson_walk.h"
#include "app/panels/action.h"
#include "app/panels/widgets.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {
constexpr float lessonRowHeight = 28, lessonsTitleHeight = 56, lessonsFootHeight = 56;

// Lectures come after the lessons that they take their steps from.
std::vector<std::shared_ptr<const Lesson>> allLessons(const Ui& ui) {
  std::vector<std::shared_ptr<const Lesson>> all = ui.lessons->ships();
  all.insert(all.end(), ui.lessons->lectures().begin(), ui.lessons->lectures().end());
  return all;
}

}  // namespace

Box LessonsPanel::place(const Ui& ui, Point window) const {
  const float rows = static_cast<float>(std::max<std::size_t>(allLessons(ui).size(), 1));
  const float width = std::min(880.0f, window.x - 32);
  const float height =
      std::min(lessonsTitleHeight + lessonsFootHeight + 16 + rows * lessonRowHeight, window.y - 32);
  return {(window.x - width) / 2, (window.y - height) / 2, width, height};
}

void LessonsPanel::content(Ui& ui, const Box& area) {
  const Theme& theme = ui.theme;
  ui.draw(Rect{area, theme.panel, theme.line, 0, 1});
  Box rest = area.inset(16, 8);
  const Box title = rest.takeTop(lessonsTitleHeight);
  ui.drawText({title.x + 8, title.y + 20}, "Lessons", {FontFace::Strong, Theme::title, theme.text});
  ui.drawText({title.x + 8, title.y + 42}, "A few words, a question, and the real instrument.", theme.note());
  if (widgets::button(ui, "Close##lessons", {title.right() - 32, title.y + 4, 32, 32},
                      {.icon = "✕", .tip = "close   Esc"}))
    close();
  const Box foot = rest.takeBottom(lessonsFootHeight);
  const auto lessons = allLessons(ui);
  const int count = static_cast<int>(lessons.size());
  if (count == 0)
    ui.drawText(rest.center(), "No lessons found next to the program.",
                {FontFace::Ui, Theme::body, theme.quiet}, Align::Middle, rest.width);
  rows_.show(ui, rest, {foot.right() - 12, foot.y + 32}, count, lessonRowHeight, true,
             [&](int i, const Box& box) { row(ui, box, lessons[static_cast<std::size_t>(i)], i); });
  if (widgets::button(ui, "Open a file …##lessons",
                      {foot.x, foot.y + 16, widgets::buttonWidth(ui, "Open a file …"), 32},
                      {.look = widgets::Look::Raised, .tip = "a lesson of your own, a Markdown file"})) {
    close();
    ui.ask(Request::OpenFile);
  }
}

void LessonsPanel::row(Ui& ui, const Box& box, const std::shared_ptr<const Lesson>& lesson, int i) {
  const bool open = ui.workspace().lesson.lesson == lesson->id;
  const bool entered = i == rows_.chosen() && !ui.usesEnter && ImGui::IsKeyPressed(ImGuiKey_Enter, false);
  if (widgets::listRow(ui, lesson->title + "##lesson " + lesson->id, box, i == rows_.chosen()) || entered) {
    ui.emit(commands::goToLessonStep(lesson, open ? ui.workspace().lesson.step : 0));
    close();
  }
  Box line = box.inset(12, 0);
  const float middle = line.center().y;
  ui.drawText({line.right(), middle}, countWords(lesson->stepCount(), "step"), ui.theme.note(), Align::End);
  line.takeRight(72);
  ui.drawText({line.right(), middle}, open ? "open" : reachedWords(*lesson, ui.workspace().look),
              {FontFace::Ui, Theme::small, open ? ui.theme.accent : ui.theme.quiet}, Align::End);
  line.takeRight(72);
  const Box title = line.takeLeft(line.width * 0.5f);
  const bool isLecture = !lesson->steps.front().topic.empty();
  ui.drawText({title.x, middle}, (isLecture ? "Lecture: " : "") + lesson->title, ui.theme.heading(),
              Align::Start, title.width - 12);
  ui.drawText({line.x, middle}, lesson->audience, ui.theme.note(), Align::Start, line.width);
}

}  // namespace glassformer
