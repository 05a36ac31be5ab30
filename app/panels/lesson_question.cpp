#include "app/panels/lesson_question.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "app/lesson/lesson_walk.h"
#include "app/lesson/measure.h"
#include "app/lesson/prose.h"
#include "app/panels/lesson_words.h"
#include "app/panels/number_field.h"
#include "app/panels/room_answers.h"
#include "app/panels/widgets.h"
#include "app/scene/format.h"
#include "app/toolkit/item_log.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

// Closer in a presentation, whose letters leave room for less.
float choicePadding(const Ui& ui) { return ui.presenting ? 8 : 18; }
float barRowHeight(const Ui& ui) { return ui.presenting ? 36 : 44; }

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

}  // namespace

bool isSnapshotCurrent(const Ui& ui) {
  return ui.snapshot.pass->text == ui.workspace().text &&
         ui.snapshot.standing.asked == ui.workspace().model && ui.snapshot.revision == ui.history.revision();
}

bool AskedQuestion::show(Ui& ui, const LessonQuestion& question, int step, Box& rest) {
  step_ = step;
  const Guess prediction = guessOf(ui);
  std::optional<Result<Answer>> answer;
  if (prediction.isMade && isSnapshotCurrent(ui)) answer.emplace(answerOf(question, ui.snapshot));
  const Answer* const known = answer && *answer ? &**answer : nullptr;
  switch (question.kind) {
    case LessonQuestion::Kind::Choice:
      showChoices(ui, question, known, rest);
      if (!prediction.isMade) showVotes(ui, question, rest);
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
  if (answer)
    showVerdict(ui, question, *answer, rest);
  else if (prediction.isMade)
    widgets::paragraph(ui, rest, "Measuring …", ui.theme.note(), 16);
  return answer.has_value();
}

void AskedQuestion::predict(Ui& ui, std::vector<float> values, bool made) {
  ui.emit(commands::predict(ui.lesson, {std::move(values), made}));
}

// A room votes by hands, and whoever presents counts: with the wheel, or click by click.
void AskedQuestion::showVotes(Ui& ui, const LessonQuestion& question, Box& rest) {
  const Box row = rest.takeTop(28);
  if (!widgets::isCutOff(ui, row) && widgets::button(ui, "Class poll", {row.x - 8, row.y, 120, 28},
                                                     {.on = voting_, .tip = "Count hands for each choice"}))
    voting_ = !voting_;
  rest.takeTop(8);
  if (!voting_) return;
  const std::vector<int> votes = votesOf(ui, step_);
  for (std::size_t i = 0; i < question.choices.size(); ++i) {
    const int before = i < votes.size() ? votes[i] : 0;
    const widgets::NumberOptions options{
        .low = 0, .high = 10000, .tip = "Hands for this choice", .width = 136};
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
void AskedQuestion::showChoices(Ui& ui, const LessonQuestion& question, const Answer* answer, Box& rest) {
  const Guess prediction = guessOf(ui);
  const int own = prediction.values.empty() ? -1 : static_cast<int>(prediction.values.front());
  std::vector<int> votes = choicesOfRoom(ui, step_, question.choices.size());
  const std::vector<int> counted = votesOf(ui, step_);
  for (std::size_t i = 0; i < std::min(votes.size(), counted.size()); ++i) votes[i] += counted[i];
  const int hands = std::accumulate(votes.begin(), votes.end(), 0);
  if (!prediction.isMade) ui.lettersTaken = static_cast<int>(question.choices.size());
  for (std::size_t i = 0; i < question.choices.size(); ++i) {
    const LaidProse words =
        layProse(std::span(&question.choices[i], 1), {rest.x + 40, rest.y + choicePadding(ui) / 2},
                 rest.width - (hands ? 128 : 80), ui.metrics(), ui.theme, Theme::body);
    const Box row = rest.takeTop(choicePadding(ui) + words.height);
    const std::string label = letterOf(i) + ": " + question.choices[i].words() + "##choice";
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
    for (const Shape& shape : words.shapes) ui.draw(shape);
    if (answer && (right || mine))
      ui.drawText({row.right() - 20, row.center().y}, right ? "✓" : "✗",
                  {FontFace::Strong, Theme::body, right ? ui.theme.accent : ui.theme.quiet}, Align::Middle);
    rest.takeTop(6);
  }
  rest.takeTop(8);
}

bool AskedQuestion::checkButton(Ui& ui, Box& rest, bool enabled) {
  const Box row = rest.takeTop(Theme::control);
  rest.takeTop(12);
  return widgets::button(ui, "Check##lesson", {row.x, row.y, 88, row.height},
                         {.look = widgets::Look::Primary,
                          .enabled = enabled,
                          .tip = enabled ? "Compare with the model   Enter" : "Predict first"});
}

void AskedQuestion::showNumber(Ui& ui, Box& rest) {
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

void AskedQuestion::showTokens(Ui& ui, const Answer* answer, Box& rest) {
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
void AskedQuestion::showCell(Ui& ui, Box& rest) {
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
      ui, rest,
      isChosen ? label(chosen[0]) + " attends to " + label(chosen[1]) : "Click a cell of the picture.",
      {FontFace::Mono, Theme::body, isChosen ? ui.theme.text : ui.theme.quiet}, 12);
  if (!prediction.isMade && checkButton(ui, rest, isChosen)) predict(ui, chosen, true);
}

// Dragged to where they are expected; what came stands below each.
void AskedQuestion::showBars(Ui& ui, const LessonQuestion& question, const Answer* answer, Box& rest) {
  const Guess prediction = guessOf(ui);
  std::vector<float> values = prediction.values;
  values.resize(question.choices.size());
  bool changed = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Box row = rest.takeTop(barRowHeight(ui));
    const Box words = row.takeTop(18);
    ui.drawText({words.x, words.center().y}, question.choices[i].words(), ui.theme.mono(), Align::Start,
                words.width - 120);
    const std::string label = question.choices[i].words() + "##bar " + std::to_string(i);
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

// What was predicted stays above; below it what came, and why.
void AskedQuestion::showVerdict(Ui& ui, const LessonQuestion& question, const Result<Answer>& answer,
                                Box& rest) {
  if (!answer)
    return widgets::paragraph(ui, rest, "This run has no answer: " + answer.error().message(),
                              {FontFace::Ui, Theme::small, ui.theme.broken}, 16);
  const bool right = isRight(question, guessOf(ui), *answer);
  std::string words;
  using Kind = LessonQuestion::Kind;
  if (question.kind == Kind::Bars)
    words = std::string(right ? "Right" : "Wrong") + ": off by up to " +
            formattedFixed(furthestOff(guessOf(ui), *answer), 2) + ".";
  else if (question.kind == Kind::Choice && answer->choice < 0)
    words = "In this run it is " + inQuotes(answer->words) + ", none of these.";
  else
    words = (right ? "Right: " : "Wrong: it is ") + sentenceOf(*answer);
  widgets::paragraph(ui, rest, words,
                     {FontFace::Strong, Theme::body, right ? ui.theme.accent : ui.theme.text}, 4);
  if (!question.why.empty()) showLessonWords(ui, question.why, Theme::body, ui.theme.text, rest);
  const Box row = rest.takeTop(28);
  if (widgets::button(ui, "Retry##prediction", {row.x - 8, row.y, 64, 28}, {.tip = "Answer again"}))
    ui.emit(commands::predict(ui.lesson, {})), ui.emit(commands::goToLessonStep(ui.lesson, step_));
  rest.takeTop(8);
}

}  // namespace glassformer
