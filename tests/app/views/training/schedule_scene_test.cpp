#include "app/views/training/schedule_scene.h"

#include <catch2/catch_approx.hpp>
#include <cmath>

#include "tests/app/views/seen_picture.h"

using namespace glassformer;
using Catch::Approx;

TEST_CASE(
    "the schedule of 2017 for width 512 and a warm-up of 4000 peaks at 6.99e-4, and others as they do") {
  const SeenPicture seen(openedOn("training", "schedule"));
  const TensorView rates = *seen.scene.sources.find("training.rate_2017"),
                   steps = *seen.scene.sources.find("training.schedule_step");
  const auto peakOf = [&](int curve) {
    int top = 0;
    for (int i = 0; i < rates.extent[1]; ++i)
      if (rates(curve, i) > rates(curve, top)) top = i;
    return std::pair{steps(top), rates(curve, top)};
  };
  int curve = 0;
  for (const auto& [width, warmup] : {std::pair{512., 4000.},
                                      {256., 4000.},
                                      {1024., 4000.},
                                      {512., 2000.},
                                      {512., 8000.},
                                      {512., 16000.}}) {
    const auto [step, rate] = peakOf(curve++);
    CHECK(step == warmup);
    CHECK(rate == Approx(1 / std::sqrt(width * warmup)).epsilon(1e-6));
  }
  CHECK(peakOf(0).second == Approx(6.99e-4).epsilon(1e-3));
  CHECK(rates(0, 19) == Approx(peakOf(0).second / 4).epsilon(1e-6));   // step 1000, a quarter of the warm-up
  CHECK(rates(0, 319) == Approx(peakOf(0).second / 2).epsilon(1e-6));  // step 16000
  for (const char* label :
       {"512 : 4000", "256 : 4000", "1024 : 4000", "512 : 2000", "512 : 8000", "512 : 16000"})
    CHECK(seen.says(label));
  CHECK_FALSE(seen.says("this run"));
}
