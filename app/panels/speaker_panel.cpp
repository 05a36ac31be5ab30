#include "app/panels/speaker_panel.h"

#include <algorithm>
#include <ctime>

#include "app/lesson/lesson_walk.h"
#include "app/lesson/prose.h"
#include "app/panels/action.h"
#include "app/panels/lesson_panel.h"
#include "app/panels/widgets.h"
#include "app/toolkit/item_log.h"

namespace glassformer {

namespace {

constexpr float speakerMargin = 24, timeHeight = 44, controlsHeight = 48, pictureShare = 0.6f, noteSize = 18,
                noteScroll = 54, leastMark = 18;

// "14:05", by this machine's clock.
std::string timeOfDay() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
#ifdef _WIN32
  localtime_s(&local, &now);
#else
  localtime_r(&now, &local);
#endif
  char text[8];
  return {text, std::strftime(text, sizeof text, "%H:%M", &local)};
}

// The largest box of these proportions at the top of another one.
Box fitted(const Box& into, Point proportions) {
  const float scale = std::min(into.width / proportions.x, into.height / proportions.y);
  return {into.x, into.y, proportions.x * scale, proportions.y * scale};
}

}  // namespace

std::string clockWords(double seconds) {
  const int all = static_cast<int>(std::max(seconds, 0.0)), hours = all / 3600;
  const auto two = [](int n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  const int minutes = all / 60 % 60;
  return (hours ? std::to_string(hours) + ":" + two(minutes) : std::to_string(minutes)) + ":" + two(all % 60);
}

void SpeakerPanel::content(Ui& ui, const Box& area) {
  Box rest = area.inset(speakerMargin, 16);
  showTime(ui, rest.takeTop(timeHeight));
  rest.takeTop(12);
  Box left = rest.takeLeft(rest.width * pictureShare);
  rest.takeLeft(speakerMargin);
  showPicture(ui, left);
  showControls(ui, left.takeTop(controlsHeight));
  left.takeTop(8);
  showNote(ui, left);
  showLesson(ui, rest);
}

void SpeakerPanel::showTime(Ui& ui, Box row) {
  const TextStyle large{FontFace::Strong, Theme::large, ui.theme.text};
  const std::string spoken = clockWords(ui.seconds - room_->since);
  ui.drawText({row.x, row.center().y}, spoken, large);
  if (ui.lesson && ui.lesson->minutes > 0)
    ui.drawText({row.x + ui.metrics().width(spoken, FontFace::Strong, Theme::large) + 12, row.center().y + 4},
                "of " + std::to_string(ui.lesson->minutes) + " minutes",
                {FontFace::Ui, Theme::body, ui.theme.quiet});
  ui.drawText({row.right(), row.center().y}, timeOfDay(), large, Align::End);
}

void SpeakerPanel::showPicture(Ui& ui, Box& rest) {
  constexpr float leastNote = 168;
  picture_ = fitted({rest.x, rest.y, rest.width, std::max(rest.height - controlsHeight - leastNote, 80.0f)},
                    {std::max(room_->pixels.x, 1.0f), std::max(room_->pixels.y, 1.0f)});
  rest.takeTop(picture_.height);
  widgets::hotArea(ui, "Audience view", picture_);
  if (room_->texture)
    ImGui::GetWindowDrawList()->AddImage(static_cast<ImTextureID>(room_->texture),
                                         ui.screen({picture_.x, picture_.y}),
                                         ui.screen({picture_.right(), picture_.bottom()}), {0, 1}, {1, 0});
  const bool hides = room_->frozen || room_->black;
  ui.draw(Rect{picture_, {0, 0, 0, 0}, hides ? ui.theme.feedForward : ui.theme.line, 0, hides ? 3.0f : 1.0f});
}

// What the room sees, where that is not what stands above, and what can be done about it.
void SpeakerPanel::showControls(Ui& ui, Box row) {
  Box buttons{row.x, row.y + 8, row.width, Theme::control};
  const auto toggle = [&](const char* label, const char* action, float width, bool on, Request request) {
    if (widgets::button(ui, label, buttons.takeLeft(width),
                        {.look = widgets::Look::Raised, .on = on, .tip = keyText(actionOf(action))}))
      ui.ask(request);
    buttons.takeLeft(8);
  };
  toggle("Freeze", "freeze-audience", 80, room_->frozen, Request::Freeze);
  toggle("Black", "black-screen", 72, room_->black, Request::Black);
  toggle("End", "present", 64, false, Request::Present);
  const char* words = room_->black    ? "The audience sees a black screen."
                      : room_->frozen ? "The audience view is frozen."
                                      : "The audience sees this.";
  ui.drawText(
      {buttons.x + 8, buttons.center().y}, words,
      {FontFace::Ui, Theme::body, room_->black || room_->frozen ? ui.theme.feedForward : ui.theme.quiet},
      Align::Start, buttons.width - 8);
}

void SpeakerPanel::showNote(Ui& ui, Box rest) {
  const int step = ui.lesson ? stepOf(*ui.lesson, ui.workspace()) : -1;
  if (step != step_) step_ = step, scroll_ = 0;
  widgets::heading(ui, {rest.x, rest.y + 8}, "Notes");
  rest.takeTop(24);
  const std::string note = ui.lesson ? ui.lesson->steps[static_cast<std::size_t>(step)].note : "";
  if (rest.contains(ui.pointer())) scroll_ -= ImGui::GetIO().MouseWheel * noteScroll;
  scroll_ = std::clamp(scroll_, 0.0f, std::max(0.0f, height_ - rest.height));
  ImGui::PushClipRect(ui.screen({rest.x, rest.y}), ui.screen({rest.right(), rest.bottom()}), true);
  Box body{rest.x, rest.y - scroll_, rest.width, 100000};
  widgets::paragraph(ui, body,
                     !note.empty() ? note
                     : ui.lesson   ? "This page has no notes."
                                   : "No lesson is open.",
                     {FontFace::Ui, noteSize, note.empty() ? ui.theme.quiet : ui.theme.text});
  height_ = body.y + scroll_ - rest.y;
  ImGui::PopClipRect();
}

// Where one is, and what comes next, as the room will read it.
void SpeakerPanel::showLesson(Ui& ui, Box rest) {
  if (!ui.lesson) return;
  const int step = stepOf(*ui.lesson, ui.workspace()), last = ui.lesson->stepCount() - 1;
  ui.drawText({rest.x, rest.y + 10}, ui.lesson->title, ui.theme.heading(), Align::Start, rest.width - 72);
  ui.drawText({rest.right(), rest.y + 10}, std::to_string(step + 1) + " of " + std::to_string(last + 1),
              ui.theme.note(), Align::End);
  rest.takeTop(28);
  showTopic(ui, ui.lesson->steps[static_cast<std::size_t>(step)], rest);
  showMarks(ui, rest.takeTop(20));
  rest.takeTop(12);
  Box foot = rest.takeBottom(Theme::control);
  if (widgets::button(
          ui, "Next##speaker", foot.takeRight(96),
          {.look = widgets::Look::Primary, .enabled = step < last, .tip = keyText(actionOf("next-page"))}))
    turnLessonPage(ui, 1);
  foot.takeRight(8);
  if (widgets::button(
          ui, "Back##speaker", foot.takeRight(72),
          {.look = widgets::Look::Raised, .enabled = step > 0, .tip = keyText(actionOf("previous-page"))}))
    turnLessonPage(ui, -1);
  rest.takeBottom(12);
  const auto say = [&](const char* heading, int of, float room) {
    Box part = rest.takeTop(room);
    widgets::heading(ui, {part.x, part.y + 8}, heading);
    part.takeTop(24);
    ImGui::PushClipRect(ui.screen({part.x, part.y}), ui.screen({part.right(), part.bottom()}), true);
    const auto& prose = ui.lesson->steps[static_cast<std::size_t>(of)].prose;
    for (const Shape& shape :
         layProse(prose, {part.x, part.y}, part.width, ui.metrics(), ui.theme, Theme::body).shapes)
      ui.draw(shape);
    ImGui::PopClipRect();
    rest.takeTop(12);
  };
  say("Now", step, (rest.height - 12) / 2);
  if (step < last) say("Next", step + 1, rest.height);
}

// Of a lecture: what the step belongs to, and until when there is time for it.
void SpeakerPanel::showTopic(Ui& ui, const LessonStep& step, Box& rest) {
  if (step.topic.empty()) return;
  const Box row = rest.takeTop(24);
  const std::string until = "until " + clockWords(step.endsAt * 60);
  const float room = row.width - ui.metrics().width(until, FontFace::Ui, Theme::body) - 16;
  ui.drawText({row.x, row.y + 10}, step.topic, {FontFace::Ui, Theme::body, ui.theme.accent}, Align::Start,
              room);
  const bool isLate = ui.seconds - room_->since > step.endsAt * 60;
  ui.drawText({row.right(), row.y + 10}, until,
              {FontFace::Ui, Theme::body, isLate ? ui.theme.feedForward : ui.theme.quiet}, Align::End);
}

// A mark for each step, which leads there; its number where there is room.
void SpeakerPanel::showMarks(Ui& ui, Box row) {
  const int count = ui.lesson->stepCount(), at = stepOf(*ui.lesson, ui.workspace());
  const float each = row.width / static_cast<float>(count);
  for (int i = 0; i < count; ++i) {
    const Box mark{row.x + static_cast<float>(i) * each, row.y, each, row.height};
    const std::string label = "step " + std::to_string(i + 1) + "##speaker";
    if (widgets::hotArea(ui, label.c_str(), mark)) ui.emit(commands::goToLessonStep(ui.lesson, i));
    nameLastItem(label.c_str(), i == at);
    if (each < leastMark)
      ui.draw(
          Rect{{mark.x, mark.y + 6, each - 1, 8}, i == at ? ui.theme.accent : ui.theme.line, {0, 0, 0, 0}});
    else
      ui.drawText(mark.center(), std::to_string(i + 1),
                  i == at ? TextStyle{FontFace::Strong, Theme::small, ui.theme.accent} : ui.theme.note(),
                  Align::Middle);
  }
}

}  // namespace glassformer
