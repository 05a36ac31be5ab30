// What a lesson asks cannot be read off the window before it is answered.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <regex>

#include "app/lesson/highlights.h"
#include "app/lesson/lesson_check.h"
#include "app/lesson/lesson_file.h"
#include "app/lesson/lesson_shelf.h"
#include "app/lesson/lesson_walk.h"
#include "imgui_internal.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/ui/lesson_window.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

using Kind = LessonQuestion::Kind;

std::vector<std::smatch> matchesOf(const std::string& text, const std::regex& pattern) {
  return {std::sregex_iterator(text.begin(), text.end(), pattern), std::sregex_iterator()};
}

// A number as it is written, "−0.25", "97.9 %", "2.8e−5"; equal to another one in all digits that it shows.
bool isWritten(double number, std::string digits) {
  const bool isPercent = digits.ends_with('%');
  digits = std::regex_replace(digits, std::regex("−"), "-");
  const std::size_t dot = digits.find('.'), end = digits.find_first_not_of("-.0123456789");
  const std::size_t places = dot == std::string::npos ? 0 : std::min(end, digits.size()) - dot - 1;
  const std::size_t e = digits.find('e');
  const double power = e == std::string::npos ? 0 : std::stod(digits.substr(e + 1));
  const double unit = std::pow(10, power - static_cast<double>(places)) / (isPercent ? 100 : 1);
  const double written = std::stod(digits) / (isPercent ? 100 : 1);
  return std::abs(written - number) <= (places > 0 || isPercent ? 0.5001 * unit : 0);
}

bool spells(const std::string& text, double number) {
  static const std::regex literal(R"((-|−)?(\d*\.)?\d+(e(-|−)?\d+)?( ?%)?)");
  return std::ranges::any_of(matchesOf(text, literal),
                             [&](const std::smatch& found) { return isWritten(number, found.str()); });
}

std::string proseOf(const LessonStep& step) {
  std::string words;
  for (const Paragraph& paragraph : step.prose) {
    for (const Span& span : paragraph.spans) words += span.text;
    words += '\n';
  }
  return words;
}

// "2 tokens", "T 5": a count and what is counted.
bool saysCount(const std::string& text, double count, const std::string& prose) {
  static const std::regex counted(R"((\d+) ([a-z]{3,})|\b([TSDKFV]) (\d+))");
  for (const std::smatch& found : matchesOf(text, counted)) {
    const bool isShape = found[3].matched;
    if (std::stod(isShape ? found[4] : found[1]) != count) continue;
    const std::string noun = found[2].str();
    if (isShape ||
        prose.find(noun.ends_with('s') ? noun.substr(0, noun.size() - 1) : noun) != std::string::npos)
      return true;
  }
  return false;
}

// What an answer is measured from.
struct Measure {
  std::vector<NamedCells> cells;
  bool asksNext = false, asksLength = false;
};

Measure measureIn(const std::string& words, const Snapshot& snapshot) {
  static const std::regex reference(R"([A-Za-z_0-9.]+\[[^\]]*\])"),
      next(R"(\bnext\b|\bcontinuation\b|\bp\()"), length(R"(tokens( == \d+)?)");
  Measure all{{}, std::regex_search(words, next), std::regex_match(words, length)};
  for (const std::smatch& found : matchesOf(words, reference))
    if (const auto named = namedCells(found.str(), snapshot)) all.cells.push_back(*named);
  return all;
}

// What is on screen beside the lesson while a question waits, there or in a later step.
struct Seen {
  std::vector<DrawnText> texts;
  std::vector<Measure> measures;  // that the answer can be told by
  std::optional<Answer> answer;   // as it would be measured there
  Content content;
  bool partsTokens = false;
  int last = 0;  // token
};

std::vector<Measure> measuresOf(const LessonStep& step, const Snapshot& snapshot) {
  if (step.question->right < 0) return {measureIn(step.question->answer, snapshot)};
  // A choice that is marked by hand is held by claims: those that are true already.
  std::vector<Measure> all;
  for (const std::string& claim : step.claims)
    if (const auto holds = measure(claim, snapshot); holds && holds->isTrue())
      all.push_back(measureIn(claim, snapshot));
  return all;
}

Seen seenFor(UiDriver& ui, const LessonStep& step) {
  Seen seen;
  ui.app().painter().keepTexts(true);
  ui.frames(1);
  for (const DrawnText& text : ui.app().painter().texts())
    if (text.list->_OwnerName && std::string(text.list->_OwnerName) != "Lesson") seen.texts.push_back(text);
  ui.app().painter().keepTexts(false);
  const Snapshot& snapshot = ui.snapshot();
  seen.measures = measuresOf(step, snapshot);
  if (const auto measured = answerOf(*step.question, snapshot)) seen.answer = *measured;
  seen.content = ui.workspace().content();
  seen.partsTokens = ui.exists("token 0");
  seen.last = snapshot.pass->trace ? snapshot.pass->trace->tokenCount() - 1 : 0;
  return seen;
}

// Of the token that comes next, or of those that follow it.
bool isOfNext(const TensorRef& value, int last) {
  if (value.tensor == "logits" || value.tensor == "lens.next_token") return value.index[0] == last;
  return value.tensor.starts_with("continuation.") || value.tensor.starts_with("beam.");
}

std::string wordsOf(const DrawnText& text) {
  return std::string(text.list->_OwnerName) + ": " + text.text + "; ";
}

// The texts from which a measure can be read off: some for each of the cells that it names.
template <typename Tells>
std::string readOff(const Seen& seen, const Measure& measure, Tells tells) {
  std::string all;
  const auto add = [&](auto isOfIt) {
    const std::size_t before = all.size();
    for (const DrawnText& text : seen.texts)
      if (isOfIt(text.value) && tells(text.text)) all += wordsOf(text);
    return all.size() > before;
  };
  for (const NamedCells& named : measure.cells)
    if (!add([&](const TensorRef& at) { return partThatShows(named, {0, 0, 1, 1}, at, 1, 1).has_value(); }))
      return "";
  if (measure.asksNext && !add([&](const TensorRef& at) { return isOfNext(at, seen.last); })) return "";
  return all + (measure.asksLength && seen.partsTokens ? "the tokens stand apart; " : "");
}

// The texts that give the answer away.
std::string givenAway(const Seen& seen, const LessonStep& step, const Answer& answer) {
  const bool asksNumber = step.question->kind == Kind::Number || step.question->kind == Kind::Bars;
  const bool isSame =
      seen.answer && seen.answer->values == answer.values && seen.answer->choice == answer.choice;
  std::vector<float> numbers;
  if (asksNumber) numbers = answer.values;
  if (step.question->kind == Kind::Choice && !answer.words.empty() &&
      answer.words.find_first_not_of("0123456789") == std::string::npos)
    numbers = {std::stof(answer.words)};
  const auto isAnswer = [&](const std::string& text) {
    return std::ranges::any_of(numbers,
                               [&](float number) { return spells(text, static_cast<double>(number)); });
  };
  std::string given;
  for (const Measure& measure : seen.measures)
    if (asksNumber)
      given += readOff(seen, measure, isAnswer);
    else if (isSame)
      given += readOff(seen, measure, [](const std::string&) { return true; });
  for (const DrawnText& text : seen.texts)
    if (text.value.empty() && std::ranges::any_of(numbers, [&](float number) {
          return saysCount(text.text, static_cast<double>(number), proseOf(step));
        }))
      given += wordsOf(text);
  return given;
}

// Walks through a lesson, answers what it asks, and says what had given an answer away: at its own step, or
// at the end of the one before where that is about the same text and model.
std::string walked(UiDriver& ui, const Lesson& lesson, const std::string& look) {
  std::string faults;
  std::optional<Seen> earlier;
  for (int i = 0; i < lesson.stepCount(); ++i) {
    REQUIRE(ui.workspace().lesson.step == i);
    const LessonStep& step = lesson.steps[static_cast<std::size_t>(i)];
    if (step.question) {
      const Seen seen = seenFor(ui, step);
      ui.screenshot("lesson_asks/" + lesson.id + "_" + std::to_string(i + 1) + look);
      answer(ui, *step.question);
      ui.screenshot("lesson_asks/" + lesson.id + "_" + std::to_string(i + 1) + "_answered" + look);
      CHECK(ui.canClick(ui.find("Again##prediction")));  // what was right, and why, stands above it
      const auto came = answerOf(*step.question, ui.snapshot());
      REQUIRE(came);
      const std::string given =
          givenAway(seen, step, *came) +
          (earlier && earlier->content == seen.content ? givenAway(*earlier, step, *came) : "");
      if (!given.empty()) faults += "step " + std::to_string(i + 1) + ": " + given.substr(0, 300) + "\n";
    }
    if (i + 1 == lesson.stepCount()) break;
    const LessonStep& next = lesson.steps[static_cast<std::size_t>(i) + 1];
    earlier = next.question ? std::optional(seenFor(ui, next)) : std::nullopt;
    ui.click("Next##lesson");
  }
  return faults;
}

}  // namespace

TEST_CASE("nothing on screen gives an answer away before it is asked for") {
  const LessonShelf shelf(lessonsFolder);
  for (const bool presented : {false, true}) {
    UiDriver ui(withLessons(shelf.ships().front()->id, !presented));
    if (presented) ui.press(ImGuiKey_F5);
    for (const auto& lesson : shelf.ships()) {
      INFO(lesson->id << (presented ? ", presented" : ""));
      ui.press(ImGuiKey_P, ImGuiMod_Ctrl);
      ui.type("Lesson: " + lesson->title);
      ui.press(ImGuiKey_Enter);
      CHECK(walked(ui, *lesson, presented ? "_presented" : "_wide") == "");
    }
  }
}

TEST_CASE("a number that one has pointed at is not there any more where the next step asks") {
  UiDriver ui(withLessons("14_inside_a_head", true));
  ui.hover("attention", 0.1f, 0.1f);
  CHECK(ui.texts().find("Point at a number") == std::string::npos);
  ui.hover("Text");
  CHECK(ui.texts().find("Point at a number") == std::string::npos);  // it stays while one reads
  ui.press(ImGuiKey_PageDown);
  CHECK(ui.texts().find("Point at a number") != std::string::npos);
}

// The check itself finds what it is for.
TEST_CASE("what gives an answer away is found: digits, what comes next, counts, and the step before") {
  const TemporaryFolder folder;
  const std::string begin = "---\ntitle: Own\nmodel: stories\n---\n",
                    story =
                        "text: \"The animal didn't cross the street because it was too tired. What was too "
                        "tired? The\"\nview: attention\npicture: matrix\nhead: \"2.0\"\n",
                    weight = "answer: blocks.2.attn.hook_pattern[0, -1, \"animal\"]\n",
                    row = "highlight: blocks.2.attn.hook_pattern[0, -1, :]\n";
  const auto found = [&](const std::string& steps) {
    write(folder / "own.md", begin + steps);
    UiDriver ui(withLessons("", true));
    ui.app().open(folder / "own.md");
    ui.settle();
    const auto lesson = readLessonFile(folder / "own.md");
    REQUIRE(lesson);
    return walked(ui, *lesson, "");
  };
  const auto asked = [&](const std::string& kind, const std::string& block) {
    return "What?\n\n" + kind + "\n\n```glassformer\n" + story + block + "```\n";
  };
  const std::string number = "[[number]]", token = "[[token]]", choices = "- [( )] animal\n- [( )] street";
  CHECK_THAT(found(asked(number, weight)), ContainsSubstring("Stage: .97"));
  CHECK(found(asked(number, weight + "cover: numbers\n")) == "");
  CHECK(found(asked(number, weight + row + "cover: cells\n")) == "");
  const std::string most = "answer: argmax blocks.2.attn.hook_pattern[0, -1, :]\n";
  CHECK_THAT(found(asked(token, most)), ContainsSubstring("Stage: 0.97"));
  CHECK(found(asked(token, most + row + "cover: cells\n")) == "");
  CHECK_THAT(found(asked(choices, "answer: next\n")), ContainsSubstring("Timeline: 97.9 %"));
  CHECK(found(asked(choices, "answer: next\ncover: next\n")) == "");
  CHECK_THAT(found("How many tokens?\n\n[[number]]\n\n```glassformer\n" + story + "answer: tokens\n```\n"),
             ContainsSubstring("Input: 19 tokens"));
  CHECK_THAT(found("Look.\n\n```glassformer\n" + story + "```\n---\n" +
                   asked(choices, "answer: next\ncover: next\n")),
             ContainsSubstring("step 2: Timeline: 97.9 %"));
}
