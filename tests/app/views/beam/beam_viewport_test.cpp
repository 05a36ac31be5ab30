#include "app/views/beam/beam_viewport.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace glassformer;
using Catch::Approx;

namespace {
constexpr Box area{24, 100, 600, 300};
}

TEST_CASE("a small tree stands as it is; a large one is shown whole or from its beginning") {
  const BeamViewport small(area, 5, 300, {});
  CHECK(small.columnWidth() == 120);
  CHECK(small.rowScale() == 1);
  CHECK(small.showsAll());
  const BeamViewport whole(area, 65, 1500, {1, 0.5f, 0.5f});
  CHECK(whole.place(65, 1500).x == Approx(area.right()));
  CHECK(whole.place(65, 1500).y == Approx(area.bottom()));
  const BeamViewport readable(area, 65, 1500, {});
  CHECK(readable.columnWidth() >= 86);
  CHECK(readable.rowScale() >= 0.8f);
  CHECK(readable.place(0, 0).x == area.x);
  CHECK(readable.place(0, 750).y == Approx(area.center().y));
}

TEST_CASE("a small tree grows with the stage, as far as it keeps its shape") {
  const BeamViewport wide({0, 0, 1872, 880}, 7, 300, {});
  CHECK(wide.columnWidth() == 240);
  CHECK(wide.rowScale() == 2);
  CHECK(wide.letterSize() == 22);
  const BeamViewport low({0, 0, 1872, 360}, 7, 300, {});
  CHECK(low.rowScale() == Approx(1.2));  // no higher than the area
  const BeamViewport deep({0, 0, 1872, 880}, 20, 300, {});
  CHECK(deep.rowScale() == 1);  // as many columns as there is room for
}

TEST_CASE("a tree is moved no further than it takes to see what is asked for") {
  const BeamViewport before(area, 65, 1500, {});
  const float seen = area.height / before.rowScale();  // of the tree
  REQUIRE(seen < 600);
  const auto topOf = [&](float top, float bottom) {
    BeamViewport moved = before;
    moved.moveTo(top, bottom);
    return (area.y - moved.place(0, 0).y) / moved.rowScale();  // what lies at the area's upper edge
  };
  const float middle = 750 - seen / 2;
  CHECK(topOf(740, 760) == Approx(middle));  // seen already
  CHECK(topOf(200, 220) == Approx(200));
  CHECK(topOf(1200, 1250) == Approx(1250 - seen));
  CHECK(topOf(300, 300 + 2 * seen) == Approx(300 + seen / 2));  // more than fits: its middle
  CHECK(topOf(0, 1500) == Approx(middle));
}

TEST_CASE("zooming keeps what is under the pointer there, inside the tree") {
  const BeamViewport before(area, 65, 1500, {4, 0.5f, 0.5f});
  const Point at{0.3f, 0.6f};
  const Point pointer{area.x + at.x * area.width, area.y + at.y * area.height};
  const Point from = before.place(0, 0);
  const float column = (pointer.x - from.x) / before.columnWidth(),
              y = (pointer.y - from.y) / before.rowScale();
  for (const float notches : {1.0f, 3.0f, -2.0f}) {
    const BeamViewport after(area, 65, 1500, before.zoomed(notches, at));
    CHECK(after.place(column, y).x == Approx(pointer.x).margin(0.1));
    CHECK(after.place(column, y).y == Approx(pointer.y).margin(0.1));
    CHECK((after.columnWidth() > before.columnWidth()) == (notches > 0));
  }
}

TEST_CASE("zooming ends where all is seen and where it is comfortable to read") {
  BeamViewport port(area, 65, 1500, {});
  for (int i = 0; i < 60; ++i) port = BeamViewport(area, 65, 1500, port.zoomed(1, {0.5f, 0.5f}));
  CHECK(port.columnWidth() == 280);
  CHECK(port.rowScale() == Approx(280.0f / 120));
  for (int i = 0; i < 60; ++i) port = BeamViewport(area, 65, 1500, port.zoomed(-1, {0.5f, 0.5f}));
  CHECK(port.showsAll());
}

TEST_CASE("panning moves the tree with the pointer and stops at its ends") {
  const BeamViewport before(area, 65, 1500, {6, 0.5f, 0.5f});
  const BeamViewport moved(area, 65, 1500, before.panned({0.1f, -0.2f}));
  CHECK(moved.place(3, 40).x == Approx(before.place(3, 40).x + 60).margin(0.1));
  CHECK(moved.place(3, 40).y == Approx(before.place(3, 40).y - 60).margin(0.1));
  const BeamViewport far(area, 65, 1500, before.panned({100, 100}));
  CHECK(far.place(0, 0).x == Approx(area.x));
  CHECK(far.place(0, 0).y == Approx(area.y));
}
