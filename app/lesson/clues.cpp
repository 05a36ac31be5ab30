#include "app/lesson/clues.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "app/drawing/scene_input.h"
#include "app/lesson/highlights.h"
#include "core/text/expression.h"

namespace glassformer {

namespace {

using Kind = LessonQuestion::Kind;

bool has(const std::string& text, const char* pattern) {
  const auto expression = Expression::compile(pattern);
  return expression && expression->find(text, 0);
}

std::vector<std::string> piecesOf(const std::string& text, const char* pattern) {
  std::vector<std::string> pieces;
  const auto expression = Expression::compile(pattern);
  for (std::size_t from = 0; expression;) {
    const auto match = expression->find(text, from);
    if (!match) break;
    pieces.push_back(text.substr(match->begin, match->end - match->begin));
    from = match->end;
  }
  return pieces;
}

std::string proseOf(const LessonStep& step) {
  std::string words;
  for (const Paragraph& paragraph : step.prose)
    for (const Span& span : paragraph.spans) words += span.text + " ";
  return words;
}

bool isSame(const Answer& a, const Answer& b) { return a.choice == b.choice && a.values == b.values; }

// The same in the digits that are shown of it.
bool isAbout(float a, float b) { return std::abs(a - b) <= 0.005f * std::abs(b); }

}  // namespace

Clues::Clues(const LessonStep& step, const Snapshot& snapshot, std::vector<ShownText> texts, bool cutsText)
    : step_(step), texts_(std::move(texts)), cutsText_(cutsText) {
  const TensorSources sources = sourcesOf(snapshot);
  for (const ShownText& text : texts_)
    values_.push_back(valueOf(sources, text.value).value_or(std::numeric_limits<float>::quiet_NaN()));
  if (const auto measured = answerOf(*step.question, snapshot)) answer_ = *measured;
  if (snapshot.pass->trace) last_ = snapshot.pass->trace->tokenCount() - 1;
  if (step.question->right < 0) sources_.push_back(sourceIn(step.question->answer, snapshot));
  for (const std::string& claim : step.question->right < 0 ? std::vector<std::string>() : step.claims)
    if (const auto holds = measure(claim, snapshot); holds && holds->isTrue())
      sources_.push_back(sourceIn(claim, snapshot));
}

Clues::Source Clues::sourceIn(const std::string& measure, const Snapshot& snapshot) {
  Source source;
  source.asksNext = has(measure, R"(\bnext\b|\bcontinuation\b|\bp\()");
  source.asksLength = has(measure, R"(^tokens( == \d+)?$)");
  for (const std::string& cells : piecesOf(measure, R"([A-Za-z_0-9.]+\[[^\]]*\])"))
    if (const auto named = namedCells(cells, snapshot)) source.cells.push_back(*named);
  return source;
}

bool Clues::isOfNext(const TensorRef& value) const {
  if (value.tensor == "logits" || value.tensor == "lens.next_token") return value.index[0] == last_;
  return value.tensor.starts_with("continuation.") || value.tensor.starts_with("beam.");
}

// "2 tokens", where the prose speaks of tokens; "T 5".
bool Clues::counts(const std::string& text, float count) const {
  std::istringstream words(text);
  std::string before, prose = proseOf(step_);
  const std::string number = std::to_string(std::lround(count));
  for (std::string word; words >> word; before = word) {
    if (word == number && before.size() == 1 && std::isupper(static_cast<unsigned char>(before.front())))
      return true;
    if (before != number || word.size() < 3 || !std::islower(static_cast<unsigned char>(word.front())))
      continue;
    if (word.ends_with('s')) word.pop_back();
    if (prose.find(word) != std::string::npos) return true;
  }
  return false;
}

// Some texts for each of the cells that it names, or none.
template <typename Tells>
std::string Clues::readOff(const Source& source, Tells tells) const {
  std::string all;
  const auto add = [&](auto isOfIt) {
    const std::size_t before = all.size();
    for (std::size_t i = 0; i < texts_.size(); ++i)
      if (isOfIt(texts_[i].value) && tells(values_[i])) all += texts_[i].where + ": " + texts_[i].text + "; ";
    return all.size() > before;
  };
  for (const NamedCells& named : source.cells)
    if (!add([&](const TensorRef& at) { return partThatShows(named, {0, 0, 1, 1}, at, 1, 1).has_value(); }))
      return "";
  if (source.asksNext && !add([&](const TensorRef& at) { return isOfNext(at); })) return "";
  return all + (source.asksLength && cutsText_ ? "the tokens are not adjacent; " : "");
}

std::string Clues::givenAway(const Answer& answer) const {
  const bool asksNumber = step_.question->kind == Kind::Number || step_.question->kind == Kind::Bars;
  std::vector<float> numbers;
  if (asksNumber)
    numbers = answer.values;
  else if (step_.question->kind == Kind::Choice && has(answer.words, R"(^\d{1,6}$)"))
    numbers = {std::stof(answer.words)};
  const auto any = [&](auto tells) { return std::ranges::any_of(numbers, tells); };
  std::string given;
  for (const Source& source : sources_)
    if (asksNumber)
      given += readOff(source, [&](float value) { return any([&](float n) { return isAbout(value, n); }); });
    else if (answer_ && isSame(*answer_, answer))
      given += readOff(source, [](float) { return true; });
  for (const ShownText& text : texts_)
    if (text.value.empty() && any([&](float n) { return counts(text.text, n); }))
      given += text.where + ": " + text.text + "; ";
  return given;
}

}  // namespace glassformer
