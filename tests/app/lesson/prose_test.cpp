#include "app/lesson/prose.h"

#include <catch2/catch_test_macros.hpp>

#include "app/lesson/markdown.h"
#include "app/lesson/unit_metrics.h"

using namespace glassformer;

namespace {

// What stands in each line, and how far to the right it reaches.
struct LaidLines {
  std::vector<std::string> lines;
  float right = 0;
};

LaidLines laidOut(const std::string& markdown, float width) {
  const auto prose = readProse(markdown);
  REQUIRE(prose);
  const UnitMetrics metrics;
  const LaidProse laid = layProse(prose->paragraphs, {0, 0}, width, metrics, Theme{}, 16);
  LaidLines read;
  read.lines.resize(laid.lineEnds.size());
  for (const Shape& shape : laid.shapes)
    if (const auto* text = std::get_if<Text>(&shape)) {
      std::size_t line = 0;
      while (laid.lineEnds[line] < text->at.y) ++line;
      read.lines[line] += text->text;
      if (text->horizontal == Align::Start)
        read.right =
            std::max(read.right, text->at.x + metrics.width(text->text, text->style.face, text->style.size));
    }
  return read;
}

}  // namespace

TEST_CASE("lines break at spaces, between ideographs and inside of a word that is too wide") {
  CHECK(laidOut("one two three", 70).lines == std::vector<std::string>{"onetwo", "three"});
  // Three bytes a letter, of 8 pixels each here: four ideographs in a line of 100.
  const LaidLines chinese = laidOut("注意力机制让每个词元", 100);
  CHECK(chinese.lines == std::vector<std::string>{"注意力机", "制让每个", "词元"});
  CHECK(chinese.right <= 100);
  // A full stop begins no line, and an opening bracket ends none.
  CHECK(laidOut("注意力机。制", 100).lines == std::vector<std::string>{"注意力", "机。制"});
  CHECK(laidOut("注意力（机制", 100).lines == std::vector<std::string>{"注意力", "（机制"});
  const LaidLines word = laidOut("abcdefghijklmnopqrstuvwxyz", 100);
  CHECK(word.lines == std::vector<std::string>{"abcdefghijkl", "mnopqrstuvwx", "yz"});
  CHECK(word.right <= 100);
}

TEST_CASE("an item stands right of its number, one of an inner list farther right") {
  const auto left = [](const std::string& markdown) {
    const auto prose = readProse(markdown);
    const LaidProse laid = layProse(prose->paragraphs, {0, 0}, 400, UnitMetrics(), Theme{}, 16);
    std::vector<float> all;
    for (const Shape& shape : laid.shapes)
      if (const auto* text = std::get_if<Text>(&shape); text && text->horizontal == Align::Start)
        all.push_back(text->at.x);
    return all;
  };
  const auto items = left("3. a\n   - b\n");
  REQUIRE(items.size() == 2);
  CHECK((items[0] > 0 && items[1] == 2 * items[0]));
}
