#include "core/lens/lens_grid.h"

#include <catch2/catch_approx.hpp>
#include <cmath>

#include "core/lens/logit_lens.h"
#include "tests/core/lens/reference_pass.h"

using namespace glassformer;
using Catch::Approx;

TEST_CASE("every column of the lens grid is the logit lens at that position") {
  const ReferencePass f("transformer_relu.safetensors");
  TensorSet grid;
  measureLensGrid(*f.model, *f.trace, grid);
  for (int t = 0; t < 9; ++t) {
    TensorSet lens;
    measureLogitLens(*f.model, *f.trace, t, lens);
    const TensorView p = lens["lens.next_token"];
    const int V = p.extent[1];
    for (int place = 0; place < 5; ++place) {
      float most = 0;
      for (int v = 0; v < V; ++v) most = std::max(most, p(place, v));
      CHECK(grid[lens_grid::probability](place, t) == Approx(most).epsilon(1e-5));
      CHECK(p(place, static_cast<int>(grid[lens_grid::token](place, t))) == Approx(most).epsilon(1e-5));
      if (place == 0) {
        CHECK(std::isnan(grid[lens_grid::promotion](0, t)));
        CHECK(grid[lens_grid::suppressed](0, t) == -1);
        continue;
      }
      const auto moved = [&](float v) {
        return p(place, static_cast<int>(v)) - p(place - 1, static_cast<int>(v));
      };
      float raised = -1, lowered = 1;
      for (int v = 0; v < V; ++v)
        raised = std::max(raised, moved(static_cast<float>(v))),
        lowered = std::min(lowered, moved(static_cast<float>(v)));
      const float promotion = grid[lens_grid::promotion](place, t),
                  suppression = grid[lens_grid::suppression](place, t);
      CHECK(promotion == Approx(raised).margin(1e-6));
      CHECK(suppression == Approx(lowered).margin(1e-6));
      CHECK(moved(grid[lens_grid::promoted](place, t)) == Approx(promotion).margin(1e-6));
      CHECK(moved(grid[lens_grid::suppressed](place, t)) == Approx(suppression).margin(1e-6));
    }
  }
}

TEST_CASE("a lens grid that is broken off adds nothing") {
  const ReferencePass f("transformer_relu.safetensors");
  TensorSet set;
  int asked = 0;
  measureLensGrid(*f.model, *f.trace, set, [&](int, int) { return ++asked < 3; });
  CHECK(asked == 3);
  CHECK(set.count() == 0);
}
