#include "app/views/timeline/timeline_scene.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/document/decoding_commands.h"
#include "app/document/text_commands.h"
#include "tests/app/engine/latest_for.h"
#include "tests/app/views/plain_metrics.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

// The strip after a token by hand and one by sampling, with what both and those ahead are told by.
struct Strip {
  explicit Strip(Workspace w) : workspace(std::move(w)), snapshot(latestFor(workspace)) {
    scene = timelineScene({workspace, *snapshot, {1600, 56}, theme, metrics, {}});
  }
  int textsOf(const TensorRef& at) const {
    return static_cast<int>(std::ranges::count_if(scene.shapes, [&](const Shape& shape) {
      const auto* text = std::get_if<Text>(&shape);
      return text && text->value == at;
    }));
  }
  int saying(const std::string& words) const {
    return static_cast<int>(std::ranges::count_if(scene.shapes, [&](const Shape& shape) {
      const auto* text = std::get_if<Text>(&shape);
      return text && text->text == words;
    }));
  }
  // Lines through a word.
  int strikes() const {
    return static_cast<int>(std::ranges::count_if(scene.shapes, [&](const Shape& shape) {
      const auto* line = std::get_if<Line>(&shape);
      return line && line->color == theme.feedForward;
    }));
  }
  const HitRegion& hit(const std::string& name) const {
    const auto found = std::ranges::find(scene.hits, name, &HitRegion::name);
    REQUIRE(found != scene.hits.end());
    return *found;
  }

  Theme theme = darkTheme();
  PlainMetrics metrics;
  Workspace workspace;
  std::shared_ptr<const Snapshot> snapshot;
  Scene scene;
};

Workspace forcedThenDrawn() {
  Workspace w = initialWorkspace();
  w.text = "The old man saw", w.selection = {};
  w.decoding.strategy = DecodingStrategy::Sampling;
  w.decoding.stages = {{"temperature", 0.6f}, {"top-k", 8}};
  commands::forceToken(w.text, " a", "a").apply(w);
  const auto now = latestFor(w);
  const int token = now->decoded->continuation.front();
  commands::appendText(w.text, now->model->bytesOf(std::span(&token, 1)), ChosenBy::Sampling).apply(w);
  return w;
}

}  // namespace

TEST_CASE("the strip has the model's probability and the one drawn with, forced tokens marked, and ln P") {
  const Strip strip(forcedThenDrawn());
  REQUIRE(strip.snapshot->decoded->way->tokens.size() == 2);
  for (const int i : {0, 1}) {
    CHECK(strip.textsOf({"way.probability", {i}}) == 1);
    CHECK(strip.textsOf({"way.drawn", {i}}) == (i == 1));  // nothing drew the other
  }
  CHECK(strip.saying(" forced") == 1);
  for (int i = 0; i < static_cast<int>(strip.snapshot->decoded->continuation.size()); ++i) {
    CHECK(strip.textsOf({"continuation.probability", {i}}) == 1);
    CHECK(strip.textsOf({"continuation.drawn", {i}}) == 1);
  }
  CHECK(strip.textsOf({"strip.total", {0}}) == 1);
  CHECK_THAT(strip.hit("place 1").target.text, ContainsSubstring("forced by hand"));
  CHECK_THAT(strip.hit("place 2").target.text, ContainsSubstring("by sampling"));
  CHECK_THAT(strip.hit("place 2").target.text, ContainsSubstring("drawn with"));
  CHECK(strip.strikes() == 0);
}

TEST_CASE("banned tokens of the text and of what was decoded are struck through") {
  Workspace w = forcedThenDrawn();
  const auto tokens = latestFor(w)->pass->trace->tokens();
  w.decoding.constraint.banned = {tokens.front(), tokens[tokens.size() - 2]};
  std::ranges::sort(w.decoding.constraint.banned);
  const Strip strip(w);
  CHECK(strip.strikes() == 2);
  CHECK_THAT(strip.hit("token 0").target.text, ContainsSubstring("banned"));
  CHECK_THAT(strip.hit("place 1").target.text, ContainsSubstring("banned"));
}

TEST_CASE("of a continuation by other settings nothing can be appended") {
  Strip strip(forcedThenDrawn());
  CHECK(strip.hit("next token 0").click);
  strip.workspace.decoding.seed += 1;  // the snapshot is of the one before
  strip.scene = timelineScene({strip.workspace, *strip.snapshot, {1600, 56}, strip.theme, strip.metrics, {}});
  CHECK_FALSE(strip.hit("next token 0").click);
}
