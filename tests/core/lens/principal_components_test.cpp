#include "core/lens/principal_components.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>

#include "core/random.h"

using namespace glassformer;
using Catch::Approx;

namespace {

PrincipalComponents componentsOf(const Tensor& vectors) {
  const TensorView tables[] = {vectors.view()};
  return principalComponents(tables);
}

Tensor coordinatesOf(const Tensor& vectors) {
  TensorSet set;
  measureGeometry({{geometry::tokens, "", vectors.view()}}, set);
  const TensorView z = set[geometry::tokens];
  REQUIRE(z.extent[1] == principalAxes);
  return Tensor({z.extent[0], principalAxes}, z.copy());
}

Tensor randomVectors(int count, int width) {
  Random random(3);
  Tensor vectors({count, width});
  for (float& value : vectors.values()) value = static_cast<float>(random.uniform01());
  return vectors;
}

float distance(const Tensor& rows, int a, int b) {
  float squares = 0;
  for (int d = 0; d < rows.view().extent[1]; ++d) {
    const float apart = rows(a, d) - rows(b, d);
    squares += apart * apart;
  }
  return std::sqrt(squares);
}

}  // namespace

TEST_CASE("points on a line have one component, along the line") {
  // (1, 2, 2) + n (3, 0, −4) for n = −1, 0, 1, 2: steps of length 5.
  const Tensor line({4, 3}, {-2, 2, 6, 1, 2, 2, 4, 2, -2, 7, 2, -6});
  const PrincipalComponents found = componentsOf(line);
  CHECK(found.mean(0) == Approx(2.5));
  CHECK(found.mean(1) == Approx(2));
  CHECK(found.mean(2) == Approx(0).margin(1e-6));
  CHECK(found.shares(0) == Approx(1));
  CHECK(found.shares(1) == Approx(0).margin(1e-6));
  CHECK(found.axes(0, 0) == Approx(-0.6));  // the largest component, that of −4, is made positive
  CHECK(found.axes(0, 1) == Approx(0).margin(1e-6));
  CHECK(found.axes(0, 2) == Approx(0.8));
  const Tensor z = coordinatesOf(line);
  for (int n = 0; n < 4; ++n) {
    CHECK(z(n, 0) == Approx(7.5 - 5 * n));
    CHECK(z(n, 1) == Approx(0).margin(1e-5));
    CHECK(z(n, 2) == 0);
  }
}

TEST_CASE("the axes of an ellipse are its components, and their shares the squares of its lengths") {
  // Ends of the axes (4, 3) · 2 and (−3, 4) around (10, 20): lengths 10 and 5.
  const Tensor ellipse({4, 2}, {18, 26, 2, 14, 7, 24, 13, 16});
  const PrincipalComponents found = componentsOf(ellipse);
  CHECK(found.axes(0, 0) == Approx(0.8));
  CHECK(found.axes(0, 1) == Approx(0.6));
  CHECK(found.axes(1, 0) == Approx(-0.6));
  CHECK(found.axes(1, 1) == Approx(0.8));
  CHECK(found.shares(0) == Approx(0.8));  // 100 of 125
  CHECK(found.shares(1) == Approx(0.2));
  const Tensor z = coordinatesOf(ellipse);
  const Tensor expected({4, 2}, {10, 0, -10, 0, 0, 5, 0, -5});
  for (int n = 0; n < 4; ++n)
    for (int c = 0; c < 2; ++c) CHECK(z(n, c) == Approx(expected(n, c)).margin(1e-5));
}

TEST_CASE("shares of all components sum to 1 and fall, with more vectors than dimensions and with fewer") {
  for (const auto& [count, width] : {std::pair{30, 5}, std::pair{5, 30}}) {
    const Tensor vectors = randomVectors(count, width);
    const PrincipalComponents found = componentsOf(vectors);
    const auto shares = found.shares.view().copy();
    REQUIRE(shares.size() == 5);
    CHECK(std::accumulate(shares.begin(), shares.end(), 0.0f) == Approx(1));
    CHECK(std::ranges::is_sorted(shares, std::greater()));
    // Each share is that of the variance that its coordinates have.
    const Tensor z = coordinatesOf(vectors);
    double total = 0, along[principalAxes] = {};
    for (int n = 0; n < count; ++n) {
      for (int c = 0; c < principalAxes; ++c) along[c] += static_cast<double>(z(n, c)) * z(n, c);
      for (int d = 0; d < width; ++d) total += std::pow(vectors(n, d) - found.mean(d), 2);
    }
    for (int c = 0; c < principalAxes; ++c) CHECK(found.shares(c) == Approx(along[c] / total).epsilon(1e-4));
  }
}

TEST_CASE("vectors of a plane and of a space keep their distances, however they are turned") {
  // By the orthonormal (1, 1, 1, 1) / 2, (1, −1, 1, −1) / 2 and (1, 1, −1, −1) / 2.
  constexpr float axes[3][4] = {{1, 1, 1, 1}, {1, -1, 1, -1}, {1, 1, -1, -1}};
  for (const int width : {2, 3}) {
    const Tensor own = randomVectors(9, width);
    Tensor turned({9, 4});
    for (int n = 0; n < 9; ++n)
      for (int d = 0; d < 4; ++d)
        for (int c = 0; c < width; ++c) turned(n, d) += own(n, c) * axes[c][d] / 2;
    const Tensor z = coordinatesOf(turned);
    for (int a = 0; a < 9; ++a)
      for (int b = 0; b < a; ++b)
        CHECK(distance(z, a, b) == Approx(distance(own, a, b)).epsilon(1e-4).margin(1e-5));
  }
}

TEST_CASE("a path lies along the components of all its places, and opens to their vectors") {
  const Tensor first = randomVectors(4, 6);
  Tensor second({4, 6});
  for (int n = 0; n < 4; ++n)
    for (int d = 0; d < 6; ++d) second(n, d) = 2 * first(n, d) + static_cast<float>(d);
  TensorSet set;
  measureGeometryPaths({{geometry::path, "where it lies", {first.view(), second.view()}}}, set);
  const TensorView tables[] = {first.view(), second.view()};
  const PrincipalComponents of = principalComponents(tables);
  const TensorView path = set[geometry::path];
  REQUIRE(path.rank == 3);
  CHECK(set[geometry::axes].copy() == of.axes.view().copy());
  for (int p = 0; p < 2; ++p)
    for (int n = 0; n < 4; ++n)
      for (int c = 0; c < principalAxes; ++c) {
        double z = 0;
        for (int d = 0; d < 6; ++d)
          z += static_cast<double>(tables[p](n, d) - of.mean(d)) * static_cast<double>(of.axes(c, d));
        CHECK(path(p, n, c) == Approx(z).margin(1e-5));
        CHECK(set.derive(geometry::path, {p, n, c})->value() == Approx(z).margin(1e-5));
      }
  for (int c = 0; c < principalAxes; ++c)
    CHECK(set.derive(geometry::shares, {c})->value() == Approx(of.shares(c)).epsilon(1e-3).margin(1e-6));
}

TEST_CASE("two tables are projected together, and equal vectors have no components") {
  const Tensor queries({1, 2}, {1, 0}), keys({1, 2}, {5, 0});
  TensorSet set;
  measureGeometry({{geometry::queries, "", queries.view()}, {geometry::keys, "", keys.view()}}, set);
  CHECK(set[geometry::mean](0) == 3);
  CHECK(set[geometry::queries](0, 0) == -2);
  CHECK(set[geometry::keys](0, 0) == 2);
  const PrincipalComponents none = componentsOf(Tensor({3, 2}, {1, 2, 1, 2, 1, 2}));
  CHECK(none.shares.view().copy() == std::vector<float>{0, 0, 0});
  CHECK(none.axes.view().copy() == std::vector<float>(6, 0));
}
