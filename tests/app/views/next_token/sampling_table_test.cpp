#include "app/views/next_token/sampling_table.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "app/engine/model_library.h"
#include "app/views/views.h"
#include "tests/app/engine/latest_for.h"
#include "tests/app/views/plain_metrics.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

Workspace samplingFrom(const char* text) {
  Workspace w = initialWorkspace();
  w.text = text, w.selection = {};
  w.view = "next_token", w.settings.pictures["next_token"] = "sampling";
  w.decoding.strategy = DecodingStrategy::Sampling;
  w.decoding.stages = {{"temperature", 0.7f}, {"top-k", 3}, {"top-p", 0.9f}};
  return w;
}

// A picture with what it was drawn from.
struct Drawn {
  Drawn(const Workspace& w, Point size)
      : workspace(w),
        snapshot(latestFor(w)),
        input{workspace, *snapshot, size, theme, metrics, {}},
        scene(viewOf("next_token").scene(input)),
        chain(input) {}

  int textsOf(int stage, int token) const {
    const TensorRef cell = ShownChain::cell(chain::probability, stage, token);
    return static_cast<int>(std::ranges::count_if(scene.shapes, [&](const Shape& shape) {
      const auto* text = std::get_if<Text>(&shape);
      return text && text->value == cell;
    }));
  }
  bool says(const std::string& words) const {
    return std::ranges::any_of(scene.shapes, [&](const Shape& shape) {
      const auto* text = std::get_if<Text>(&shape);
      return text && text->text == words;
    });
  }
  const HitRegion* hit(const std::string& name) const {
    const auto found = std::ranges::find(scene.hits, name, &HitRegion::name);
    return found == scene.hits.end() ? nullptr : &*found;
  }
  std::vector<int> rows() const {
    std::vector<int> tokens;
    for (const HitRegion& each : scene.hits)
      if (each.name.starts_with("candidate ")) tokens.push_back(each.target.entry);
    return tokens;
  }

  Theme theme = darkTheme();
  PlainMetrics metrics;
  Workspace workspace;
  std::shared_ptr<const Snapshot> snapshot;
  SceneInput input;
  Scene scene;
  ShownChain chain;
};

}  // namespace

TEST_CASE("every active stage has the number before and after it, and inactive ones are folded") {
  for (const Point size : {Point{656, 464}, Point{1296, 824}}) {
    const Drawn drawn(samplingFrom("The old man saw a"), size);
    const std::vector<int> on = drawn.chain.stages(true);
    REQUIRE(on.size() == 4);  // with the model
    int compared = 0;
    for (const int token : drawn.rows())
      for (std::size_t i = 0; i < on.size(); ++i) {
        if (!drawn.chain.isLeft(on[i], token)) continue;
        INFO(size.x << ": stage " << on[i] << ", token " << token);
        // After its own stage, and before the next one, which folded stages leave unchanged.
        CHECK(drawn.textsOf(on[i], token) == (i + 1 < on.size() ? 2 : 1));
        ++compared;
      }
    CHECK(compared >= 12);
    for (const int stage : drawn.chain.stages(false)) {
      CHECK(drawn.says(std::string(drawn.chain.link(stage).name())));
      CHECK(drawn.hit("stage " + std::string(drawn.chain.link(stage).id()))->click);
    }
  }
}

TEST_CASE("all bars of the stages have one scale, which the picture says") {
  for (const char* const text : {"The old", "The old man saw a"}) {
    const Drawn drawn(samplingFrom(text), {1296, 824});
    const Range scale = barsOfSampling(drawn.chain);
    const float draw = drawn.hit("the draw")->box.y;
    int bars = 0;
    for (const Shape& shape : drawn.scene.shapes)
      if (const Bar* bar = std::get_if<Bar>(&shape); bar && bar->track.y < draw) {
        CHECK(bar->range.high == scale.high);
        ++bars;
      }
    CHECK(bars > 10);
    CHECK_THAT(drawn.scene.about, ContainsSubstring(scale.high == 1 ? "bars to 100 %" : "the largest"));
  }
}

TEST_CASE("what is out says why, and the draw is a point where u lies on the cumulated bar") {
  const Drawn drawn(samplingFrom("The old man saw a"), {1296, 824});
  int out = 0;
  for (const int token : drawn.rows())
    if (drawn.chain.outAt(token) > 0) {
      ++out;
      CHECK(drawn.says(drawn.chain.whyOut(token)));
    }
  CHECK(out > 2);
  CHECK(drawn.says("rank 4 > k = 3"));
  const HitRegion* const point = drawn.hit("the draw");
  REQUIRE(point);
  const int token = drawn.chain.drawn(), last = drawn.chain.last();
  const auto isPiece = [&](const HitRegion& hit) {
    return hit.name.starts_with("piece ") && hit.target.entry == token;
  };
  const auto piece = std::ranges::find_if(drawn.scene.hits, isPiece);
  REQUIRE(piece != drawn.scene.hits.end());
  CHECK(piece->box.x <= point->box.center().x);
  CHECK(piece->box.right() >= point->box.center().x);
  CHECK(drawn.chain.before(last, token) <= drawn.chain.u());
  CHECK(piece->isCandidate);
}

TEST_CASE("where nothing was drawn, or will be, there is no point, and it says so") {
  Workspace w = samplingFrom("The old man saw a");
  w.decoding.strategy = DecodingStrategy::Greedy;
  const Drawn greedy(w, {656, 464});
  CHECK_FALSE(greedy.hit("the draw"));
  CHECK(greedy.chain.taken() == -1);
  w.decoding.strategy = DecodingStrategy::Sampling;
  w.selection.query = 1;  // a token that was written
  const Drawn written(w, {656, 464});
  CHECK_FALSE(written.hit("the draw"));
  CHECK(written.chain.taken() == written.snapshot->pass->trace->tokens()[2]);
  CHECK_FALSE(written.chain.isFixed());
}
