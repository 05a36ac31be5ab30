#include "app/figure/lesson_pages.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdio>
#include <fstream>
#include <regex>

#include "app/lesson/lesson_file.h"
#include "tests/app/engine/latest_for.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

const char* const twoSteps = R"(---
title: Weights by hand
audience: a class
model: worked
---
Scores are divided by $\sqrt{K}$.

What is 24 divided by 8?

[[number]]

```glassformer
text: "We wash our cats"
view: attention
cover: yes
answer: blocks.0.attn.hook_attn_scores[0, 0, "wash"]
```
---
Whom does *We* hear most?

- [( )] We
- [( )] wash

```glassformer
answer: token(argmax blocks.0.attn.hook_pattern[0, 0, :])
```
---
That is all.
)";

std::string said(const std::string& command) {
  std::string out;
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe);
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) out.append(buffer, n);
  CHECK(::pclose(pipe) == 0);
  return out;
}

}  // namespace

TEST_CASE("every word of a lesson is on some page, inside of its edges", "[others]") {
  const auto many = [](const std::string& words, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += words;
    return all;
  };
  const std::string long_ = many("a choice that is much longer than one line of a slide can hold ", 4);
  const auto lesson = readLesson(
      "---\ntitle: " + many("A very long title of a lesson ", 6) +
      "endtitle\naudience: " + many("whoever has seen attention ", 8) + "endaudience\nmodel: worked\n---\n" +
      many("A sentence that says what many others have said. ", 90) + "endprose\n\n" + many("word", 60) +
      " endword\n\nWhich?\n\n- [( )] " + long_ + "always\n- [(X)] " + long_ + "never\n");
  REQUIRE(lesson);
  const FigureFonts fonts;
  const ComputedFor computed = latestFor;
  const TemporaryFolder folder;
  const auto file = folder / "lesson.pdf";
  for (const auto& pdf : {lessonSlides(*lesson, computed, fonts), lessonHandout(*lesson, computed, fonts)}) {
    REQUIRE(pdf);
    std::ofstream(file, std::ios::binary) << *pdf;
    const std::string all = said("pdftotext " + file.string() + " -");
    for (const char* word : {"endtitle", "endprose", "endword", "always", "never"})
      CHECK_THAT(all, ContainsSubstring(word));
    // Each word with its box, and the size of its page.
    const std::string boxes = said("pdftotext -bbox " + file.string() + " -");
    const std::regex page(
        "<page width=\"([\\d.]+)\" height=\"([\\d.]+)\"|xMin=\"([-\\d.]+)\" yMin=\"([-\\d.]+)\" "
        "xMax=\"([\\d.]+)\" yMax=\"([\\d.]+)\"");
    double width = 0, height = 0;
    int words = 0;
    for (std::sregex_iterator it(boxes.begin(), boxes.end(), page), end; it != end; ++it) {
      const auto number = [&](int i) { return std::stod((*it)[static_cast<std::size_t>(i)].str()); };
      if ((*it)[1].matched) {
        width = number(1), height = number(2);
        continue;
      }
      ++words;
      CHECK((number(3) >= 0 && number(4) >= 0 && number(5) <= width && number(6) <= height));
    }
    CHECK(words > 900);
  }
}

TEST_CASE("slides and handouts, read by others: every step, and the answers after the questions",
          "[others]") {
  const auto lesson = readLesson(twoSteps);
  REQUIRE(lesson);
  const FigureFonts fonts;
  const ComputedFor computed = latestFor;
  const TemporaryFolder folder;
  const auto file = folder / "lesson.pdf";
  const auto text = [&](const Result<std::string>& pdf, int page) {
    REQUIRE(pdf);
    std::ofstream(file, std::ios::binary) << *pdf;
    const std::string of = std::to_string(page);
    return said("pdftotext -f " + of + " -l " + of + " " + file.string() + " -");
  };
  const auto slides = lessonSlides(*lesson, computed, fonts);
  CHECK_THAT(text(slides, 1), ContainsSubstring("Your prediction?"));
  CHECK_THAT(said("pdfinfo " + file.string()), ContainsSubstring("Pages:           5"));
  CHECK_THAT(said("pdfinfo " + file.string()), ContainsSubstring("Weights by hand"));
  CHECK_THAT(text(slides, 2), ContainsSubstring("3.000"));
  CHECK_THAT(text(slides, 2), ContainsSubstring("Block 0, head 0"));
  CHECK_THAT(text(slides, 4), ContainsSubstring("wash"));
  CHECK_THAT(text(slides, 5), ContainsSubstring("That is all."));
  const auto handout = lessonHandout(*lesson, computed, fonts);
  CHECK_THAT(text(handout, 1), ContainsSubstring("What is 24 divided by 8?"));
  CHECK_THAT(text(handout, 1), !ContainsSubstring("3.000"));
  const std::string pages = said("pdfinfo " + file.string());
  const int last = std::stoi(pages.substr(pages.find("Pages:") + 6));
  CHECK_THAT(text(handout, last), ContainsSubstring("Answers"));
  CHECK_THAT(text(handout, last), ContainsSubstring("3.000"));
}
