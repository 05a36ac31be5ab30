#include "app/panels/room_answers.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/lesson/class_answers.h"
#include "app/panels/widgets.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float roomLineHeight = 72, roomPoint = 6;

std::string roomWords(const LessonQuestion& question, const std::vector<std::vector<float>>& room,
                      const Answer* answer) {
  const std::string count = std::to_string(room.size());
  if (!answer) return "The room: " + count + (room.size() == 1 ? " answer." : " answers.");
  const auto right = std::ranges::count_if(room, [&](const std::vector<float>& values) {
    return isRight(question, {values, true}, *answer);
  });
  return "The room: " + std::to_string(right) + " of " + count + (right == 1 ? " is right." : " are right.");
}

// A point for each answer, on one another where they are alike; the model's own as a line through them.
void showNumbers(Ui& ui, const std::vector<std::vector<float>>& room, const Answer* answer, Box& rest) {
  Box line = rest.takeTop(roomLineHeight);
  std::vector<float> numbers;
  for (const std::vector<float>& values : room) numbers.push_back(values.front());
  const float own = answer && !answer->values.empty() ? answer->values.front() : numbers.front();
  const auto [least, most] = std::ranges::minmax(numbers);
  const float low = std::min(least, own), high = std::max(most, own);
  const Box ends = line.takeBottom(20);
  const TextStyle quiet = ui.theme.quietMono();
  ui.drawText({ends.x, ends.center().y}, formatted(low), quiet);
  if (high > low) ui.drawText({ends.right(), ends.center().y}, formatted(high), quiet, Align::End);
  const Box track = line.inset(roomPoint, 0);
  const auto placeOf = [&](float number) {
    return track.x + (high > low ? (number - low) / (high - low) : 0.5f) * track.width;
  };
  ui.draw(Rect{{track.x, track.bottom() - 1, track.width, 1}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
  if (answer) ui.draw(Rect{{placeOf(own) - 1, line.y, 2, line.height}, ui.theme.accent, {0, 0, 0, 0}, 0, 1});
  std::map<int, int> stacked;
  for (const float number : numbers) {
    const float x = std::round((placeOf(number) - track.x) / roomPoint) * roomPoint + track.x;
    const float up = static_cast<float>(stacked[static_cast<int>(x)]++) * roomPoint;
    const float y = std::max(track.bottom() - roomPoint - 2 - up, line.y);
    ui.draw(Rect{{x - roomPoint / 2, y, roomPoint - 1, roomPoint - 1},
                 ui.theme.feedForward,
                 {0, 0, 0, 0},
                 roomPoint / 2});
  }
  rest.takeTop(8);
}

}  // namespace

const std::vector<std::vector<float>>& roomOf(const Ui& ui, int step) {
  static const std::vector<std::vector<float>> none;
  const auto& all = ui.workspace().lesson.room;
  const auto found = all.find(step);
  return found == all.end() ? none : found->second;
}

std::vector<int> choicesOfRoom(const Ui& ui, int step, std::size_t choices) {
  std::vector<int> counts(choices);
  for (const std::vector<float>& values : roomOf(ui, step))
    if (values.front() >= 0 && values.front() < static_cast<float>(choices))
      ++counts[static_cast<std::size_t>(values.front())];
  return counts;
}

void showRoom(Ui& ui, const LessonQuestion& question, int step, const Answer* answer, Box& rest) {
  const auto& room = roomOf(ui, step);
  if (room.empty()) return;
  Box row = rest.takeTop(28);
  if (widgets::button(ui, "Forget##room", row.takeRight(72),
                      {.tip = "lets go of the room's answers to this step"}))
    ui.emit(commands::forgetAnswers(step));
  ui.drawText({row.x, row.center().y}, roomWords(question, room, answer), ui.theme.plain(), Align::Start,
              row.width);
  rest.takeTop(4);
  if (question.kind == LessonQuestion::Kind::Number) showNumbers(ui, room, answer, rest);
}

}  // namespace glassformer
