#include "app/views/attention/softmax_picture.h"

#include <catch2/catch_approx.hpp>
#include <set>

#include "core/lens/softmax_pair.h"
#include "tests/app/views/seen_picture.h"

using namespace glassformer;
using Catch::Approx;

namespace {

Workspace aHead() {
  Workspace workspace = openedOn("attention", "softmax");
  workspace.selection.layer = 2, workspace.selection.head = 0;
  return workspace;
}

int keyOf(const SeenPicture& seen, int i) { return static_cast<int>(seen.at({softmaxPair::keys, {1 + i}})); }

// The bars of the row's strongest keys, the first one on top.
std::vector<const HitRegion*> listedKeys(const SeenPicture& seen) {
  std::vector<const HitRegion*> keys;
  for (const HitRegion& hit : seen.scene.hits)
    if (hit.extend) keys.push_back(&hit);
  return keys;
}

}  // namespace

TEST_CASE("the surface is that of the row's two strongest keys, and a click chooses another one") {
  SeenPicture seen(aHead());
  const auto keys = listedKeys(seen);
  REQUIRE(keys.size() > 3);
  CHECK(keyOf(seen, 0) == keys[0]->target.key);
  CHECK(keyOf(seen, 1) == keys[1]->target.key);
  const int third = keys[2]->target.key, fourth = keys[3]->target.key, second = keyOf(seen, 1);
  seen.act(keys[2]->click(keys[2]->target));
  CHECK(keyOf(seen, 0) == third);
  CHECK(keyOf(seen, 1) != second);  // the strongest besides is the first one again
  seen.act(listedKeys(seen)[3]->extend(listedKeys(seen)[3]->target));
  CHECK(keyOf(seen, 0) == third);
  CHECK(keyOf(seen, 1) == fourth);
  seen.click("Swap x₁ and x₂");
  CHECK(keyOf(seen, 0) == fourth);
  CHECK(keyOf(seen, 1) == third);
}

TEST_CASE("what the two keys share is the model's own row, and a temperature moves it to one half") {
  SeenPicture seen(aHead());
  const int query = static_cast<int>(seen.at({softmaxPair::keys, {0}}));
  const TensorView row = (*seen.snapshot->pass->trace)["blocks.2.attn.hook_pattern"][0][query];
  const float a = row(keyOf(seen, 0)), b = row(keyOf(seen, 1));
  CHECK(seen.at({softmaxPair::share, {0}}) == Approx(a / (a + b)).epsilon(1e-4));
  CHECK(seen.says("σ(x)₁ = exp x₁ / (exp x₁ + exp x₂)"));
  const float own = seen.at({softmaxPair::share, {0}});
  seen.workspace.settings.choose("attention.temperature", "5");
  const SeenPicture hot(seen.workspace);
  CHECK(std::abs(hot.at({softmaxPair::share, {0}}) - 0.5f) < std::abs(own - 0.5f));
  CHECK(hot.at({softmaxPair::ofRow, {0}}) == Approx(a / (a + b)).epsilon(1e-4));
  CHECK_FALSE(hot.says("σ(x)₁ = exp x₁ / (exp x₁ + exp x₂)"));
}

TEST_CASE("the surface turns like a landscape, and keeps where it was turned to") {
  SeenPicture seen(aHead());
  const auto angle = [&] {
    for (const Shape& shape : seen.scene.shapes)
      if (const auto* surface = std::get_if<SurfacePlot>(&shape))
        return std::array{surface->yaw, surface->pitch};
    return std::array{NAN, NAN};
  };
  const auto first = angle();
  seen.act(seen.hit("softmax surface").pan({0.25f, 0}));
  CHECK(angle()[0] == Approx(first[0] + 45));
  CHECK(angle()[1] == Approx(first[1]));
  seen.act(seen.hit("softmax surface").arrows(0, 1));
  CHECK(angle()[1] == Approx(first[1] + 5));
  seen.act(seen.hit("softmax surface").reset());
  CHECK(angle() == first);
  CHECK(seen.workspace.settings.chosen("attention.softmax_angle").empty());
}

TEST_CASE("attention without a softmax says so beside the other pictures") {
  Workspace workspace = aHead();
  workspace.changes = {{"attention_kernel", "argmax"}};
  const SeenPicture seen(workspace);
  CHECK(seen.says("without a softmax"));
  seen.hit("Matrix");  // leads back
}

TEST_CASE("the point of the two scores is dragged, moved by keys, and brought back") {
  SeenPicture seen(aHead());
  const auto point = [&](int i) { return seen.at({softmaxPair::point, {i}}); };
  const auto share = [&] { return seen.at({softmaxPair::share, {0}}); };
  const float x1 = point(0), x2 = point(1), own = share();
  seen.act(seen.hit("point of the two scores").arrows(1, 0));
  CHECK(point(0) == Approx(x1 + 0.25f));
  CHECK(point(1) == x2);
  CHECK(share() > own);
  CHECK(seen.at({softmaxPair::own, {0}}) == own);
  CHECK(seen.says("○ this head"));
  seen.act(seen.hit("point of the two scores").reset());
  CHECK(share() == own);
  CHECK_FALSE(seen.says("○ this head"));

  // Along the diagonal of the floor: both scores change alike, and so the height stays.
  for (const char* both : {"Both + 1", "Both + 1", "Both − 1"}) {
    seen.click(both);
    CHECK(std::abs(share() - own) <= 1e-6f);
  }
  CHECK(point(0) - x1 == Approx(1));
  CHECK(point(1) - x2 == Approx(1));
  seen.click("As computed");
  CHECK(point(0) == x1);

  // By the mouse: as far as the pointer goes, its foot goes along the floor.
  const HitRegion& foot = seen.hit("foot of the two scores");
  const Point from = foot.box.center();
  seen.act(foot.pan({0.5f, 0.25f}));
  const Point to = seen.hit("foot of the two scores").box.center();
  CHECK(to.x - from.x == Approx(0.5f * 24).margin(0.01));
  CHECK(to.y - from.y == Approx(0.25f * 24).margin(0.01));
  CHECK(share() == Approx(1 / (1 + std::exp(point(1) - point(0)))).epsilon(1e-4));
}
