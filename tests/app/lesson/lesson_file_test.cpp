#include "app/lesson/lesson_file.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>

#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string front = "---\ntitle: Masks\naudience: students\nminutes: 8\nmodel: stories\n---\n";

Lesson lessonOf(const std::string& steps) {
  INFO(steps);
  auto lesson = readLesson(front + steps);
  if (!lesson) FAIL(lesson.error().message());
  return std::move(*lesson);
}

std::string whyNoLesson(const std::string& text) {
  INFO(text);
  const auto lesson = readLesson(text);
  REQUIRE_FALSE(lesson);
  return lesson.error().message();
}
std::string whyNoStep(const std::string& step) { return whyNoLesson(front + step); }

std::string blockOf(const std::string& yaml) { return "Words.\n\n```glassformer\n" + yaml + "\n```\n"; }

}  // namespace

TEST_CASE("a lesson has front matter and steps, with prose, question, block and note") {
  const Lesson lesson = lessonOf(R"(One **strong** word, *tired*, and $\frac{1}{2}$.

- first
- second
---
## Heads

Which?

- [( )] animal
- [(X)] street

```glassformer
text: "The dog"
head: "2.3"
cover: yes
highlight: logits[-1, :]
hint: [one, two]
claim: tokens == 2
```

Note: let them
answer first.
)");
  CHECK(lesson.title == "Masks");
  CHECK(lesson.audience == "students");
  CHECK(lesson.minutes == 8);
  REQUIRE(lesson.stepCount() == 2);
  const LessonStep& first = lesson.steps[0];
  REQUIRE(first.prose.size() == 3);
  CHECK(first.prose[0].spans.size() == 7);
  CHECK(first.prose[0].spans[1].style == Span::Style::Strong);
  CHECK(first.prose[0].spans[3].style == Span::Style::Token);
  CHECK(first.prose[0].spans[5].style == Span::Style::Math);
  CHECK(first.prose[0].spans[5].text == "\\frac{1}{2}");
  CHECK(first.prose[2].kind == Paragraph::Kind::Item);
  CHECK_FALSE(first.question);
  const LessonStep& second = lesson.steps[1];
  CHECK(second.prose.front().kind == Paragraph::Kind::Heading);
  REQUIRE(second.question);
  REQUIRE(second.question->choices.size() == 2);
  CHECK(second.question->choices[0].words() == "animal");
  CHECK(second.question->choices[1].words() == "street");
  CHECK(second.question->right == 1);
  CHECK(second.covers == Cover{.stage = true, .next = true});
  CHECK(second.highlights == std::vector<std::string>{"logits[-1, :]"});
  CHECK(second.hints == std::vector<std::string>{"one", "two"});
  CHECK(second.claims == std::vector<std::string>{"tokens == 2"});
  CHECK(second.note == "let them\nanswer first.");
  CHECK(second.lines.at("head") == 21);
}

TEST_CASE("words of the front matter stay as they are written") {
  for (const std::string title : {"No", "1.10", "Infinity", "0x10", "true", "12:30"}) {
    const auto lesson = readLesson("---\ntitle: " + title + "\naudience: 007\n---\nWords.\n");
    REQUIRE(lesson);
    CHECK(lesson->title == title);
    CHECK(lesson->audience == "007");
  }
}

TEST_CASE("a byte-order mark, blanks at the ends of lines and carriage returns are no part of a lesson") {
  const std::string plain =
      "---\ntitle: A test\n---\nOne.\n---\nTwo.\n\n```glassformer\ntext: \"Once\"\n```\n";
  const auto with = [&](const std::string& end) {
    std::string text;
    for (const char c : plain) text += c == '\n' ? end : std::string(1, c);
    return text;
  };
  for (const std::string& text : {"\xEF\xBB\xBF" + plain, with(" \n"), with("\t\n"), with("\r\n")}) {
    const auto lesson = readLesson(text);
    REQUIRE(lesson);
    CHECK(lesson->title == "A test");
    REQUIRE(lesson->stepCount() == 2);
    CHECK_THAT(lesson->steps[1].shown, ContainsSubstring("Once"));
  }
  const TemporaryFolder folder;
  std::ofstream(folder / "marked.md") << "\xEF\xBB\xBF" + plain;
  CHECK(isLessonFile(folder / "marked.md"));
}

TEST_CASE("lists keep numbers and depth, emphasis stands in emphasis, and hard breaks break") {
  const auto prose =
      lessonOf(
          "Do this:\n\n3. third\n4. fourth\n\n   1. inner\n   - dot\n\n**bold, *one word*, bold**\n\n"
          "Roses,  \nviolets,\\\nend.\n")
          .steps[0]
          .prose;
  REQUIRE(prose.size() == 7);
  CHECK((prose[1].mark == "3." && prose[1].depth == 1 && prose[1].words() == "third"));
  CHECK((prose[2].mark == "4." && prose[2].depth == 1));
  CHECK((prose[3].mark == "1." && prose[3].depth == 2 && prose[3].kind == Paragraph::Kind::Item));
  CHECK((prose[4].mark == "•" && prose[4].depth == 2));
  using enum Span::Style;
  const auto styles = [&](std::size_t i) {
    std::vector<Span::Style> all;
    for (const Span& span : prose[i].spans) all.push_back(span.style);
    return all;
  };
  CHECK(styles(5) == std::vector{Strong, Token, Strong});
  CHECK(styles(6) == std::vector{Plain, Break, Plain, Break, Plain});
}

TEST_CASE("choices are Markdown with formulas, and one of them is right") {
  const auto question =
      lessonOf("By what?\n\n- [(X)] by $\\sqrt{d_k}$\n- [( )] by **more**\n").steps[0].question;
  REQUIRE(question);
  CHECK(question->right == 0);
  CHECK(question->choices[0].spans.back().style == Span::Style::Math);
  CHECK(question->choices[0].words() == "by \\sqrt{d_k}");
  CHECK(question->choices[1].spans.back().style == Span::Style::Strong);
  CHECK_THAT(whyNoStep("Which?\n\n- [(X)] this\n- [(X)] and this\n- [( )] not this\n"),
             ContainsSubstring("line 7") && ContainsSubstring("two choices are marked"));
}

TEST_CASE("a step covers what it says, and says why only where it asks") {
  const auto covered = [](const std::string& words) {
    return lessonOf("How?\n\n[[number]]\n\n```glassformer\nanswer: tokens\ncover: " + words + "\n```\n")
        .steps[0]
        .covers;
  };
  CHECK(covered("yes") == Cover{.stage = true, .next = true});
  CHECK(covered("no") == Cover{});
  CHECK(covered("cells") == Cover{.cells = true});
  CHECK(covered("[next, numbers, tokens]") == Cover{.next = true, .numbers = true, .tokens = true});
  CHECK_THAT(whyNoStep("How?\n\n[[number]]\n\n```glassformer\nanswer: tokens\ncover: walls\n```\n"),
             ContainsSubstring("a list of stage, next, numbers, cells and tokens"));
  CHECK_THAT(whyNoStep(blockOf("why: It is so.")), ContainsSubstring("why: the page has no question"));
}

TEST_CASE("numbers, tokens and bars are asked for in brackets") {
  CHECK(lessonOf("How much?\n\n[[number]]\n\n```glassformer\nanswer: 1 + 1\ntolerance: 0.5\n```\n")
            .steps[0]
            .question->kind == LessonQuestion::Kind::Number);
  CHECK(lessonOf("Which?\n\n[[token]]\n\n```glassformer\nanswer: 3\n```\n").steps[0].question->kind ==
        LessonQuestion::Kind::Token);
  const Lesson bars =
      lessonOf("Draw.\n\n[[bars]]\n\n- [( )] a\n- [( )] b\n\n```glassformer\nanswer: logits[0, :]\n```\n");
  CHECK(bars.steps[0].question->kind == LessonQuestion::Kind::Bars);
  CHECK(bars.steps[0].question->choices.size() == 2);
}

TEST_CASE("what is wrong in a lesson is said with its line and field") {
  CHECK_THAT(whyNoLesson(""), ContainsSubstring("front matter"));
  CHECK_THAT(whyNoLesson("# Title\n"), ContainsSubstring("line 1"));
  CHECK_THAT(whyNoLesson("---\ntitle: A\n"), ContainsSubstring("no end"));
  CHECK_THAT(whyNoLesson("---\nminutes: 3\n---\nWords.\n"), ContainsSubstring("no title"));
  CHECK_THAT(whyNoLesson("---\ntitle: A\nauthor: B\n---\nWords.\n"), ContainsSubstring("line 3: \"author\""));
  CHECK_THAT(whyNoLesson("---\ntitle: A\nminutes: many\n---\nWords.\n"), ContainsSubstring("whole number"));
  CHECK_THAT(whyNoLesson("---\ntitle: [A\n---\nWords.\n"), ContainsSubstring("YAML"));
  CHECK_THAT(whyNoLesson(front), ContainsSubstring("no step"));
  CHECK_THAT(whyNoStep(blockOf("veiw: tokens")), ContainsSubstring("line 10: \"veiw\""));
  CHECK_THAT(whyNoStep(blockOf("view: tokens\nhead: second")), ContainsSubstring("line 11: head"));
  CHECK_THAT(whyNoStep(blockOf("text: [1, 2]\nquery: here")), ContainsSubstring("query"));
  CHECK_THAT(whyNoStep(blockOf("off: [L2X3]")), ContainsSubstring("L2X3"));
  CHECK_THAT(whyNoStep(blockOf("stages: {temprature: 2}")), ContainsSubstring("temprature"));
  CHECK_THAT(whyNoStep(blockOf("stages: {temperature: -2}")), ContainsSubstring("temperature cannot be"));
  CHECK_THAT(whyNoStep(blockOf("settings: {attention: {stage: loud}}")), ContainsSubstring("loud"));
  CHECK_THAT(whyNoStep(blockOf("reveal: {veiw: tokens}")), ContainsSubstring("veiw"));
  CHECK_THAT(whyNoStep(blockOf("cover: maybe")), ContainsSubstring("cover"));
  CHECK_THAT(whyNoStep(blockOf("outline: sky")), ContainsSubstring("outline"));
  CHECK_THAT(whyNoStep(blockOf("view: tokens\nview: step")), ContainsSubstring("twice"));
  CHECK_THAT(whyNoStep(blockOf("answer: next")), ContainsSubstring("has no question"));
  CHECK_THAT(whyNoStep("Which?\n\n- [( )] a\n- [( )] b\n"), ContainsSubstring("no answer"));
  CHECK_THAT(whyNoStep("Which?\n\n- [(X)] a\n"), ContainsSubstring("two choices"));
  CHECK_THAT(whyNoStep("Which?\n\n- [(X)] a\n- [( )] b\n\n```glassformer\nanswer: next\n```\n"),
             ContainsSubstring("two answers"));
  CHECK_THAT(whyNoStep("Which?\n\n[[colour]]\n\n```glassformer\nanswer: 1\n```\n"),
             ContainsSubstring("colour"));
  CHECK_THAT(whyNoStep("Words.\n\n```glassformer\nview: tokens\n"), ContainsSubstring("no end"));
  CHECK_THAT(whyNoStep("Words, $\\unknown{1}$.\n"), ContainsSubstring("\\unknown"));
  CHECK_THAT(whyNoStep("A [link](somewhere).\n"), ContainsSubstring("links"));
  CHECK_THAT(whyNoStep("```glassformer\nview: tokens\n```\n"), ContainsSubstring("has no text"));
}

TEST_CASE("what is too long, too deep or no text is refused at once") {
  CHECK_THAT(whyNoLesson(front + std::string(10 << 20, 'a')), ContainsSubstring("10 MiB"));
  CHECK_THAT(whyNoLesson(front + "\xff\xfe"), ContainsSubstring("UTF-8"));
  for (const char* const escaped :
       {R"(head: "a\_b")", R"("a\_b": 1)", R"(settings: {"a\_b": 1})", R"(set: ["\N"])"})
    CHECK_THAT(whyNoLesson(front + blockOf(escaped)), ContainsSubstring("UTF-8"));
  std::string many;
  for (int i = 0; i < 300; ++i) many += "Words.\n---\n";
  CHECK_THAT(whyNoStep(many), ContainsSubstring("200 steps"));
  CHECK_FALSE(readLesson(front + blockOf("set: " + std::string(20000, '['))));
  // An alias of an alias of an alias: small to write, without end to read.
  std::string laughs = "settings:\n  a: &a [x, x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c < 'k'; ++c) {
    laughs += std::string("  ") + c + ": &" + c + " [";
    for (int i = 0; i < 10; ++i) laughs += std::string(i ? ", *" : "*") + static_cast<char>(c - 1);
    laughs += "]\n";
  }
  CHECK_FALSE(readLesson(front + blockOf(laughs)));
}

TEST_CASE("a lesson is told from other texts by its front matter") {
  const TemporaryFolder folder;
  const auto write = [&](const char* name, const std::string& text) { std::ofstream(folder / name) << text; };
  write("lesson.md", front + "Words.\n");
  write("notes.md", "# Notes\n");
  write("story.txt", "---\n");
  CHECK(isLessonFile(folder / "lesson.md"));
  CHECK_FALSE(isLessonFile(folder / "notes.md"));
  CHECK_FALSE(isLessonFile(folder / "story.txt"));
  CHECK_FALSE(isLessonFile(folder / "missing.md"));
  CHECK(readLessonFile(folder / "lesson.md")->id == "lesson");
  CHECK_THAT(readLessonFile(folder / "missing.md").error().message(), ContainsSubstring("missing.md"));
}
