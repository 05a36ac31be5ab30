// The manual is short, plain and whole: every picture has its section, and every link leads somewhere.
#include "app/lesson/manual_pages.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "app/lesson/lesson_file.h"
#include "app/lesson/markdown.h"
#include "app/lesson/unit_metrics.h"
#include "app/views/views.h"
#include "core/io/files.h"
#include "tests/app/banned_words.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t mostWords = 6000, longestSentence = 28, medianSentence = 16;
const fs::path folder = fs::path(SOURCE_FOLDER) / "assets" / "manual";

const Manual& shippedManual() {
  static const Manual manual(folder);
  return manual;
}

std::size_t wordCount(const std::string& text) {
  std::istringstream in(text);
  std::size_t count = 0;
  for (std::string word; in >> word;) ++count;
  return count;
}

// An equation is one word; what stands in it, or in a quotation, ends no sentence.
std::string proseOf(const Paragraph& paragraph) {
  std::string words;
  for (const Span& span : paragraph.spans) {
    std::string text = span.style == Span::Style::Math ? "x" : span.text;
    if (span.style == Span::Style::Token) std::erase_if(text, [](char c) { return c == '.' || c == '?'; });
    words += text;
  }
  return words;
}

std::vector<std::string> sentencesOf(const std::string& prose) {
  const std::regex end(R"([.!?] (?=[^0-9a-z(]))");
  return {std::sregex_token_iterator(prose.begin(), prose.end(), end, -1), {}};
}

std::vector<std::string> sentencesOfManual() {
  std::vector<std::string> all;
  for (const ManualPage& page : shippedManual().pages())
    for (const Paragraph& p : page.paragraphs)
      if (p.kind == Paragraph::Kind::Text || p.kind == Paragraph::Kind::Item)
        for (const std::string& sentence : sentencesOf(proseOf(p))) all.push_back(sentence);
  return all;
}

// Of each and at the median; and none has a word that the field does not use.
void checkSentences(const std::vector<std::string>& sentences) {
  std::vector<std::size_t> lengths;
  for (const std::string& sentence : sentences) {
    INFO(sentence);
    lengths.push_back(wordCount(sentence));
    CHECK(lengths.back() <= longestSentence);
    for (const auto& [pattern, use] : bannedAnywhere) {
      INFO("use: " << use);
      CHECK_FALSE(std::regex_search(sentence, std::regex(pattern, std::regex::icase)));
    }
  }
  std::ranges::nth_element(lengths, lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2));
  CHECK(lengths[lengths.size() / 2] <= medianSentence);
}

}  // namespace

TEST_CASE("the manual has twelve pages, of at most 6,000 words") {
  CHECK(shippedManual().wrong() == "");
  CHECK(shippedManual().pages().size() == 12);
  std::size_t words = 0;
  for (const ManualPage& page : shippedManual().pages())
    words += wordCount(*readTextFile(page.file, std::size_t{1} << 20));
  CHECK(words <= mostWords);
}

TEST_CASE("sentences of the manual are short, and use the words of the field") {
  const std::vector<std::string> sentences = sentencesOfManual();
  REQUIRE(sentences.size() > 300);
  checkSentences(sentences);
  const std::regex former(formerNames), questions(questionWords, std::regex::icase);
  for (const std::string& sentence : sentences) {
    INFO(sentence);
    CHECK_FALSE(std::regex_search(sentence, former));
    CHECK_FALSE(std::regex_search(sentence, questions));
  }
}

TEST_CASE("sentences of lessons are short, and use the words of the field") {
  std::vector<std::string> sentences;
  for (const auto& entry : fs::directory_iterator(folder.parent_path() / "lessons")) {
    if (entry.path().extension() != ".md" || entry.path().stem() == "README") continue;
    const auto lesson = readLessonFile(entry.path());
    REQUIRE(lesson);
    for (const LessonStep& step : lesson->steps)
      for (const Paragraph& p : step.prose)
        for (const std::string& sentence : sentencesOf(proseOf(p))) sentences.push_back(sentence);
  }
  REQUIRE(sentences.size() > 400);
  checkSentences(sentences);
}

TEST_CASE("every view has a chapter, and in there every picture a section with its image") {
  const std::set<std::string> needRun{"Learning curves", "Gradient norms", "Optimizer", "Data scaling",
                                      "Held-out answers"};
  for (const View& view : views()) {
    const auto place = shippedManual().find(view.title);
    INFO(view.title);
    REQUIRE(place);
    const auto& paragraphs = shippedManual().pages()[static_cast<std::size_t>(place->page)].paragraphs;
    const auto isHeading = [](int level, std::string_view words) {
      return [level, words](const Paragraph& p) {
        return p.kind == Paragraph::Kind::Heading && p.level == level &&
               (words.empty() || p.words() == words);
      };
    };
    const auto chapter = std::ranges::find_if(paragraphs, isHeading(2, view.title));
    REQUIRE(chapter != paragraphs.end());
    const auto end = std::find_if(chapter + 1, paragraphs.end(), isHeading(2, ""));
    for (const Picture& picture : view.pictures) {
      INFO(picture.label);
      const auto section = std::find_if(chapter, end, isHeading(3, picture.label));
      REQUIRE(section != end);
      const bool hasImage = section[1].kind == Paragraph::Kind::Picture;
      CHECK(hasImage != needRun.contains(picture.label));
      const auto next = std::find_if(section + 1, end, isHeading(3, ""));
      CHECK(std::any_of(section, next, [](const Paragraph& p) { return p.words().starts_with("Try:"); }));
    }
  }
}

TEST_CASE("every link of the manual leads to a heading, and every image is there, each once") {
  std::set<fs::path> shown;
  for (int i = 0; i < static_cast<int>(shippedManual().pages().size()); ++i)
    for (const Paragraph& p : shippedManual().pages()[static_cast<std::size_t>(i)].paragraphs)
      for (const Span& span : p.spans) {
        if (span.style != Span::Style::Link) continue;
        INFO(span.target);
        if (p.kind == Paragraph::Kind::Picture)
          CHECK(shown.insert(span.target).second);
        else
          CHECK(shippedManual().find(span.target, i));
      }
  for (const auto& file : fs::directory_iterator(folder / "pictures")) {
    INFO(file.path());
    CHECK(shown.erase("pictures" / file.path().filename()) == 1);
  }
  CHECK(shown.empty());
}

TEST_CASE("headings are found by links and by their words, as browsers call them") {
  CHECK(anchorOf("Q/K/V gradients") == "qkv-gradients");
  CHECK(anchorOf("Embed/unembed") == "embedunembed");
  const auto curves = shippedManual().find("04_positions.md#curves");
  REQUIRE(curves);
  CHECK(shippedManual().pages()[static_cast<std::size_t>(curves->page)].title == "Positions");
  CHECK(shippedManual().find("Curves")->page == curves->page);
  CHECK(shippedManual().find("#curves", curves->page)->anchor == "curves");
  CHECK_FALSE(shippedManual().find("#curves", 0));
  CHECK_FALSE(shippedManual().find("Nothing of the kind"));
  CHECK(Manual("nowhere").pages().empty());
}

TEST_CASE("a page has headings, links, pictures, tables and code, which a lesson has not") {
  const std::string markdown =
      "# Title\n\n## Part\n\nSee [there](02_b.md#x).\n\n![](q.png)\n\n"
      "| a | b |\n|---|---|\n| `c` | $d$ |\n\n```\nrun --it\n```\n";
  CHECK_FALSE(readProse(markdown));
  const auto page = readPage(markdown);
  REQUIRE(page);
  using Kind = Paragraph::Kind;
  std::vector<Kind> kinds;
  for (const Paragraph& p : *page) kinds.push_back(p.kind);
  CHECK(kinds == std::vector{Kind::Heading, Kind::Heading, Kind::Text, Kind::Picture, Kind::Row, Kind::Row,
                             Kind::Code});
  CHECK((*page)[1].level == 2);
  CHECK((*page)[3].spans.front().target == "q.png");
  REQUIRE(cellsOf((*page)[5]).size() == 2);
  CHECK(cellsOf((*page)[5])[0].words() == "c");
  CHECK((*page)[6].words() == "run --it\n");
  CHECK_FALSE(readPage("Words ![and](p.png)"));
}

TEST_CASE("a page is laid out from top to bottom, within its width") {
  for (const ManualPage& page : shippedManual().pages()) {
    INFO(page.title);
    const LaidPage laid = layPage(page, 600, UnitMetrics(), lightTheme(), 16);
    CHECK(std::ranges::is_sorted(laid.anchors, {}, [](const auto& anchor) { return anchor.second; }));
    CHECK(std::ranges::is_sorted(laid.cuts));
    for (const LaidPage::Picture& picture : laid.pictures) {
      CHECK(picture.box.width == manualPicture.x);
      CHECK(picture.box.bottom() <= laid.height);
    }
    for (const LaidProse::Link& link : laid.links) CHECK(link.box.right() <= 600);
  }
}

TEST_CASE("what is unreleased has at most 60 lines in the changelog") {
  std::ifstream in(fs::path(SOURCE_FOLDER) / "CHANGELOG.md");
  int lines = 0;
  bool isUnreleased = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) isUnreleased = line.starts_with("## [Unreleased]");
    lines += isUnreleased;
  }
  CHECK(lines > 10);
  CHECK(lines <= 60);
}
