#include "app/drawing/token_flow.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/app/views/view_cases.h"

using namespace glassformer;

namespace {

TokenFlow flowOf(const std::string& text, float width) {
  Workspace workspace;
  workspace.text = text;
  const auto snapshot = snapshotOf(workspace, 1, 1);
  const PlainMetrics metrics;
  const SceneInput input{workspace, *snapshot, {1000, 600}, darkTheme(), metrics, {}};
  return tokenFlow(input, Stream::Text, width, Theme::body);
}

}  // namespace

TEST_CASE("a text's own line breaks begin new lines and so does its width") {
  const TokenFlow one = flowOf("aaaaaaaa", 1000);
  REQUIRE(one.boxes.size() == 8);
  for (const Box& box : one.boxes) CHECK(box.y == 0);
  CHECK(one.width == one.boxes.back().right());

  const TokenFlow lines = flowOf("ab\ncd\n>", 1000);
  REQUIRE(lines.boxes.size() == 7);
  CHECK(lines.boxes[2].y == 0);  // the break stands at the end of its line
  for (const std::size_t first : {3u, 6u}) {
    CHECK(lines.boxes[first].x == 0);
    CHECK(lines.boxes[first].y > lines.boxes[first - 1].y);
  }
  CHECK(lines.boxes[4].x == lines.boxes[1].x);
  CHECK(lines.width == lines.boxes[2].right());
  CHECK(lines.height == lines.boxes[6].bottom());

  const TokenFlow narrow = flowOf("aaaaaaaa", one.width / 2);
  CHECK(narrow.boxes.back().y > 0);
  CHECK(narrow.width <= one.width / 2);
}
