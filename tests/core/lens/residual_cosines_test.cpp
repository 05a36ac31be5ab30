#include "core/lens/residual_cosines.h"

#include <catch2/catch_approx.hpp>
#include <cmath>

#include "core/lens/residual_stream.h"
#include "tests/core/lens/reference_pass.h"

using namespace glassformer;
using Catch::Approx;

TEST_CASE("cosines of residual states agree with PyTorch's states") {
  const ReferencePass f("transformer_gelu.safetensors");
  TensorSet set;
  measureResidualCosines(*f.model, *f.trace, set);
  const TensorView cosines = set["lens.residual_cosine"];
  REQUIRE(cosines.extent[1] == 5);
  const auto x = f.reference.values("trace.blocks.0.hook_resid_mid"),
             y = f.reference.values("trace.blocks.1.hook_resid_post");
  for (int t = 0; t < 9; ++t) {
    double xy = 0, xx = 0, yy = 0;
    for (int d = 0; d < 16; ++d) {
      const auto i = static_cast<std::size_t>(t * 16 + d);
      xy += x[i] * y[i], xx += x[i] * x[i], yy += y[i] * y[i];
    }
    CHECK(cosines(t, 1, 4) == Approx(xy / std::sqrt(xx * yy)).epsilon(1e-4));
    CHECK(cosines(t, 4, 1) == cosines(t, 1, 4));
    for (int place = 0; place < 5; ++place) CHECK(cosines(t, place, place) == Approx(1).epsilon(1e-5));
  }
}

TEST_CASE("a norm's scale is one over PyTorch's standard deviation") {
  const ReferencePass f("transformer_gelu.safetensors");
  TensorSet set;
  measureNormScales(*f.model, *f.trace, set);
  const TensorView scales = set["lens.norm_scale"];
  const char* const points[] = {"blocks.0.ln1", "blocks.0.ln2", "blocks.1.ln1", "blocks.1.ln2", "ln_final"};
  for (int place = 0; place < 5; ++place) {
    CHECK(residualPlaces(*f.model)[static_cast<std::size_t>(place)].normScale ==
          std::string(points[place]) + ".hook_scale");
    const auto sigma = f.reference.values("trace." + std::string(points[place]) + ".hook_scale");
    for (int t = 0; t < 9; ++t)
      CHECK(scales(place, t) == Approx(1 / sigma[static_cast<std::size_t>(t)]).epsilon(1e-4));
  }
}
