#include "app/lesson/lesson_picture.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "app/cli/computed.h"
#include "app/lesson/lesson_file.h"
#include "app/lesson/lesson_walk.h"
#include "app/views/views.h"
#include "tests/app/views/plain_metrics.h"

using namespace glassformer;

namespace {

// The matrix of the worked example, as a step shows it that asks how much "We" gives to "wash".
Scene pictureOf(const std::string& cover, bool answered) {
  static const ModelLibrary library(SOURCE_FOLDER "/app");
  const auto lesson = readLesson(
      "---\ntitle: A\nmodel: worked\n---\nHow much?\n\n[[number]]\n\n```glassformer\ntext: We wash our cats\n"
      "view: attention\npicture: matrix\nquery: 0\nanswer: blocks.0.attn.hook_pattern[0, 0, 1]\n"
      "highlight: blocks.0.attn.hook_pattern[0, 0, :]\n" +
      cover + "```\n");
  if (!lesson) FAIL(lesson.error().message());
  Workspace now = initialWorkspace();
  now.lesson.guesses[0] = {{0}, answered};
  const auto workspace = workspaceAt(*lesson, 0, now);
  if (!workspace) FAIL(workspace.error().message());
  Computer computer(library);
  const auto snapshot = computer(*workspace);
  const Theme theme = darkTheme();
  const PlainMetrics metrics;
  Scene scene = viewOf("attention").scene({*workspace, *snapshot, {1000, 700}, theme, metrics, {}});
  adaptToStep(scene, *lesson, *workspace, *snapshot, theme);
  return scene;
}

int count(const Scene& scene, const std::string& words) {
  return static_cast<int>(std::ranges::count_if(scene.shapes, [&](const Shape& shape) {
    const auto* text = std::get_if<Text>(&shape);
    return text && text->text == words;
  }));
}

// What the pointer is on in the middle of a row of the matrix.
Target inRow(const Scene& scene, int row) {
  const auto matrix = std::ranges::find(scene.hits, "attention", &HitRegion::name);
  REQUIRE(matrix != scene.hits.end());
  const Point at = matrix->box.cell(row, 1, 4, 4).center();
  return targetAt(*hitAt(scene, at), at);
}

}  // namespace

TEST_CASE("a step covers the cells that it asks about, and nothing else, until it is answered") {
  const Scene open = pictureOf("", false), covered = pictureOf("cover: cells\n", false),
              answered = pictureOf("cover: cells\n", true);
  // In the rows of "We" and "our", which are alike, and in the list of what "We" looks at.
  CHECK(count(open, "0.48") == 3);
  CHECK(count(covered, "0.48") == 1);
  CHECK(count(answered, "0.48") == 3);
  CHECK(count(covered, "0.30") == count(open, "0.30"));
  CHECK(count(covered, "wash") == count(open, "wash") - 1);
  CHECK(inRow(open, 0).cell.tensor == "blocks.0.attn.hook_pattern");
  CHECK(inRow(covered, 0).cell.empty());
  CHECK(inRow(covered, 1).cell.tensor == "blocks.0.attn.hook_pattern");
  CHECK(inRow(answered, 0).cell.tensor == "blocks.0.attn.hook_pattern");
}

TEST_CASE("a step covers digits and lists, and leaves colours and what a click does") {
  const Scene open = pictureOf("", false), covered = pictureOf("cover: numbers\n", false);
  for (const Shape& shape : covered.shapes)
    if (const auto* text = std::get_if<Text>(&shape)) CHECK(text->value.empty());
  CHECK(count(covered, "0.48") == 0);
  CHECK(count(covered, "wash") == count(open, "wash") - 1);
  CHECK(count(covered, "keys →") == 1);
  CHECK(inRow(covered, 0).cell.empty());
  CHECK(inRow(covered, 0).text.empty());
  CHECK(inRow(covered, 0).key == 1);
  const auto isMatrix = [](const Shape& shape) { return std::holds_alternative<Matrix>(shape); };
  CHECK(std::ranges::count_if(covered.shapes, isMatrix) == std::ranges::count_if(open.shapes, isMatrix));
}
