#include "app/scene/surface_plot.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "app/scene/contours.h"

using namespace glassformer;
using Catch::Approx;

namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();

// A bowl over 5 × 7 points.
struct Bowl {
  Tensor values{{5, 7}};
  SurfacePlot surface;
  explicit Bowl(float yaw = 30, float pitch = 40) {
    for (int row = 0; row < 5; ++row)
      for (int column = 0; column < 7; ++column)
        values(row, column) = static_cast<float>((row - 2) * (row - 2) + (column - 3) * (column - 3));
    surface.box = {10, 20, 400, 300};
    surface.range = {0, 13};
    surface.yaw = yaw, surface.pitch = pitch;
  }
  std::vector<SurfaceFacet> facets() const { return facetsOf(surface, values.view()); }
};

}  // namespace

TEST_CASE("a surface stays inside its box whichever way it is turned, and as large") {
  for (int yaw = -180; yaw <= 180; yaw += 15)
    for (const float pitch : {10.0f, 40.0f, 80.0f}) {
      const Bowl bowl(static_cast<float>(yaw), pitch);
      const Box room = bowl.surface.box.inset(-0.01f);
      for (const SurfaceFacet& facet : bowl.facets())
        for (const Point& corner : facet.corners) REQUIRE(room.contains(corner));
      const SurfaceProjection projection(bowl.surface), straight(Bowl(0, pitch).surface);
      for (const float u : {-1.0f, 1.0f})
        REQUIRE(room.contains(projection.at(u, 1, SurfaceProjection::floor)));
      CHECK(projection.at(0, 0, 1).y == Approx(straight.at(0, 0, 1).y));
    }
}

TEST_CASE("four facets meet at every point inside, two at an edge, one at a corner") {
  const Bowl bowl;
  std::map<std::pair<int, int>, int> count;
  for (const SurfaceFacet& facet : bowl.facets()) ++count[{facet.row, facet.column}];
  CHECK(count.size() == 35);
  for (const auto& [cell, facets] : count) {
    const bool edgeRow = cell.first == 0 || cell.first == 4,
               edgeColumn = cell.second == 0 || cell.second == 6;
    CHECK(facets == (edgeRow ? 1 : 2) * (edgeColumn ? 1 : 2));
  }
}

namespace {
// Where a vertical line cuts a facet.
Range cut(const SurfaceFacet& facet, float x) {
  Range found{1e9f, -1e9f};
  for (std::size_t i = 0; i < 4; ++i) {
    const Point a = facet.corners[i], b = facet.corners[(i + 1) % 4];
    if ((a.x < x) == (b.x < x)) continue;
    const float y = a.y + (x - a.x) / (b.x - a.x) * (b.y - a.y);
    found = {std::min(found.low, y), std::max(found.high, y)};
  }
  return found;
}
}  // namespace

TEST_CASE("facets come from far to near") {
  for (int yaw = -180; yaw < 180; yaw += 20) {
    Bowl flat(static_cast<float>(yaw), 40);  // there, what is further away is further up
    std::ranges::fill(flat.values.values(), 0.0f);
    const auto facets = flat.facets();
    int above = 0;
    for (std::size_t i = 0; i < facets.size(); ++i)
      for (std::size_t j = i + 1; j < facets.size(); ++j)
        for (float x = flat.surface.box.x; x < flat.surface.box.right(); x += 7.3f) {
          const Range earlier = cut(facets[i], x), later = cut(facets[j], x);
          if (earlier.low > earlier.high || later.low > later.high) continue;
          REQUIRE(earlier.high <= later.low + 0.01f);
          ++above;
        }
    CHECK(above > 100);
  }
}

TEST_CASE("seen from above, the pointer is on the cell whose place it is at") {
  const Bowl bowl(0, 80);
  for (int row = 0; row < 5; ++row)
    for (int column = 0; column < 7; ++column) {
      const Point at = surfacePoint(bowl.surface, bowl.values.view(), row, column);
      const Point inside{at.x + (column == 0   ? 1.0f
                                 : column == 6 ? -1.0f
                                               : 0.0f),
                         at.y + (row == 0 ? 1.0f : -1.0f)};
      CHECK(cellSeenAt(bowl.surface, bowl.values.view(), inside) == std::array{row, column});
    }
  CHECK(cellSeenAt(bowl.surface, bowl.values.view(), {0, 0}) == std::array{0, 0});
}

TEST_CASE("from aside, the wall in front hides what is behind it") {
  const Bowl bowl(0, 15);
  const Point middle = surfacePoint(bowl.surface, bowl.values.view(), 2, 3);
  const auto seen = cellSeenAt(bowl.surface, bowl.values.view(), middle);
  CHECK(seen[0] == 4);
  CHECK(seen[1] == 3);
}

TEST_CASE("what is not known yet is a hole; what is no number stands at the top, in its own colour") {
  Bowl bowl;
  bowl.values(0, 0) = -infinite;
  bowl.values(4, 6) = std::numeric_limits<float>::quiet_NaN();
  bowl.values(4, 0) = infinite;
  std::set<std::pair<int, int>> drawn;
  for (const SurfaceFacet& facet : bowl.facets()) drawn.insert({facet.row, facet.column});
  CHECK_FALSE(drawn.contains({0, 0}));
  CHECK(drawn.contains({4, 6}));
  const Theme theme = lightTheme();
  for (const auto& [row, column] : {std::pair{4, 6}, {4, 0}}) {
    CHECK(surfaceHeight(bowl.surface, bowl.values(row, column)) == 1);
    CHECK(facetColor(bowl.surface, bowl.values(row, column), theme) == theme.broken);
  }
  CHECK(facetColor(bowl.surface, 0, theme) == colorAt(ColorMap::Sequential, 0, false));
}

TEST_CASE("contour lines lie where the values between the points are the level") {
  const Bowl bowl;
  const auto pieces = contour(bowl.values.view(), 2.5f);
  CHECK(pieces.size() >= 8);
  for (const ContourPiece& piece : pieces)
    for (const Point& p : {piece.from, piece.to}) {
      const int row = std::min(static_cast<int>(p.y), 3), column = std::min(static_cast<int>(p.x), 5);
      const float down = p.y - static_cast<float>(row), right = p.x - static_cast<float>(column);
      const float top = bowl.values(row, column) * (1 - right) + bowl.values(row, column + 1) * right;
      const float bottom =
          bowl.values(row + 1, column) * (1 - right) + bowl.values(row + 1, column + 1) * right;
      CHECK(top * (1 - down) + bottom * down == Approx(2.5f).epsilon(1e-4));
    }
  CHECK(contour(bowl.values.view(), 99).empty());
}

TEST_CASE("a contour through a saddle keeps apart what its middle parts") {
  const Tensor saddle({2, 2}, {3, 0, 0, 3});
  for (const float level : {1.0f, 2.0f}) {
    const auto pieces = contour(saddle.view(), level);
    REQUIRE(pieces.size() == 2);
    // The middle is 1.5: above level 1 the high corners are one, and each piece cuts off a low one.
    for (const ContourPiece& piece : pieces) {
      const Point middle{(piece.from.x + piece.to.x) / 2, (piece.from.y + piece.to.y) / 2};
      const bool nearLow = (middle.x > 0.5f) != (middle.y > 0.5f);
      CHECK(nearLow == (level < 1.5f));
    }
  }
}

TEST_CASE("levels part a range evenly on its own scale") {
  CHECK(levelsOf({0, 4}, 4) == std::vector<float>{1, 2, 3});
  const auto ratios = levelsOf({1, 16, true}, 4);
  REQUIRE(ratios.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(ratios[i] == Approx(std::pow(2.0f, static_cast<float>(i + 1))));
}
