#include "app/panels/room_answers.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/lesson/class_answers.h"
#include "app/panels/widgets.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

constexpr float roomLineHeight = 72, roomPoint = 6, placeRowHeight = 30, barLineHeight = 34;
constexpr std::size_t mostPlaces = 6;

std::string roomWords(const LessonQuestion& question, const std::vector<std::vector<float>>& room,
                      const Answer* answer) {
  const std::string count = std::to_string(room.size());
  if (!answer) return "Class: " + count + (room.size() == 1 ? " answer." : " answers.");
  const auto right = std::ranges::count_if(room, [&](const std::vector<float>& values) {
    return isRight(question, {values, true}, *answer);
  });
  return "Class: " + std::to_string(right) + " of " + count + (right == 1 ? " is right." : " are right.");
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

// "·animal", or of a cell "·it looks at ·animal".
std::string wordsOfPlaces(const Ui& ui, const std::vector<float>& places) {
  const auto label = [&](float place) {
    const auto& tokens = ui.snapshot.pass->tokens;
    const auto i = static_cast<std::size_t>(std::max(place, 0.0f));
    return i < tokens.size() ? tokens[i].label : std::string("?");
  };
  return places.size() < 2 ? label(places.front()) : label(places[0]) + " attends to " + label(places[1]);
}

// Tokens or cells, those named most often first, each with a bar of how many named it; the model's own has
// its colour.
void showPlaces(Ui& ui, const std::vector<std::vector<float>>& room, const Answer* answer, Box& rest) {
  std::map<std::vector<float>, int> counts;
  for (const std::vector<float>& places : room) ++counts[places];
  std::vector<std::pair<std::vector<float>, int>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater{}, [](const auto& one) { return one.second; });
  const std::size_t shown = std::min(sorted.size(), mostPlaces);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [places, count] = sorted[i];
    const bool isModels = answer && answer->values == places;
    const Box row = rest.takeTop(placeRowHeight);
    const float share = static_cast<float>(count) / static_cast<float>(sorted.front().second);
    ui.draw(Rect{{row.x, row.bottom() - 6, std::max((row.width - 40) * share, 2.0f), 4},
                 isModels ? ui.theme.accent : ui.theme.feedForward,
                 {0, 0, 0, 0},
                 2});
    ui.drawText({row.x, row.y + 11}, wordsOfPlaces(ui, places),
                {FontFace::Mono, Theme::small, isModels ? ui.theme.accent : ui.theme.text}, Align::Start,
                row.width - 48);
    ui.drawText({row.right(), row.y + 11}, std::to_string(count), ui.theme.mono(), Align::End);
  }
  if (sorted.size() > shown)
    ui.drawText({rest.x, rest.takeTop(20).center().y},
                countWords(static_cast<std::int64_t>(sorted.size() - shown), "other"), ui.theme.note());
  rest.takeTop(8);
}

// For each bar a line with a point for each answer, and the model's own as a stroke.
void showBarLines(Ui& ui, const LessonQuestion& question, const std::vector<std::vector<float>>& room,
                  const Answer* answer, Box& rest) {
  for (std::size_t i = 0; i < question.choices.size(); ++i) {
    Box row = rest.takeTop(barLineHeight);
    const Box words = row.takeTop(16);
    ui.drawText({words.x, words.center().y}, question.choices[i].words(), ui.theme.quietMono(), Align::Start,
                words.width);
    const Box track = row.inset(roomPoint / 2, 0);
    const float middle = track.y + roomPoint;
    ui.draw(Rect{{track.x, middle, track.width, 1}, ui.theme.line, {0, 0, 0, 0}, 0, 1});
    const auto placeOf = [&](float height) { return track.x + std::clamp(height, 0.0f, 1.0f) * track.width; };
    for (const std::vector<float>& values : room)
      if (i < values.size())
        ui.draw(Rect{{placeOf(values[i]) - roomPoint / 2, middle - roomPoint / 2, roomPoint, roomPoint},
                     ui.theme.feedForward.faded(0.7f),
                     {0, 0, 0, 0},
                     roomPoint / 2});
    if (answer && i < answer->values.size())
      ui.draw(Rect{
          {placeOf(answer->values[i]) - 1, track.y, 2, 2 * roomPoint}, ui.theme.accent, {0, 0, 0, 0}, 0, 1});
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
                      {.tip = "Delete the class's answers to this page"}))
    ui.emit(commands::forgetAnswers(step));
  ui.drawText({row.x, row.center().y}, roomWords(question, room, answer), ui.theme.plain(), Align::Start,
              row.width);
  rest.takeTop(4);
  switch (question.kind) {
    case LessonQuestion::Kind::Choice:
      break;  // counted in the rows of the choices
    case LessonQuestion::Kind::Number:
      return showNumbers(ui, room, answer, rest);
    case LessonQuestion::Kind::Token:
    case LessonQuestion::Kind::Cell:
      return showPlaces(ui, room, answer, rest);
    case LessonQuestion::Kind::Bars:
      return showBarLines(ui, question, room, answer, rest);
  }
}

}  // namespace glassformer
