#include "core/lens/position_shift.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <complex>

#include "core/model/positional/sinusoidal.h"

using namespace glassformer;
using Catch::Approx;

namespace {

// e^(i t / rᵏ) in double, as the lecture writes it: nothing of the program has a part in it.
std::complex<double> complexOf(double t, int k, int width, double base) {
  return std::polar(1.0, t / std::pow(std::pow(base, 2.0 / width), k));
}

const SinusoidPairs everyKind[] = {{0, 16, 10000, Hands::Neighbours},
                                   {0, 16, 100, Hands::Halves},
                                   {6, 10, 10000, Hands::Neighbours},
                                   {0, 7, 10, Hands::Halves}};

}  // namespace

TEST_CASE("a shift of sinusoids is a rotation, to rounding, at every position") {
  for (const SinusoidPairs& hands : everyKind)
    for (const int distance : {1, 3, 60, 1000}) {
      const Tensor p = sinusoids(1024, hands);
      TensorSet set;
      const PositionTap tap{distance, 1};
      measurePositionShift(p.view(), hands, {&tap, 1}, set);
      const TensorView R = set[positionShift::matrix], turned = set[positionShift::turned];
      for (int t = 0; t + distance < 1024; t += 7)
        for (int k = 0; k < hands.pairs(); ++k) {
          const auto expected = complexOf(t + distance, k, hands.width, hands.base);
          // Relative to its length, which is 1.
          CHECK(std::abs(turned(t, hands.sine(k)) - expected.imag()) < 1e-6);
          CHECK(std::abs(turned(t, hands.cosine(k)) - expected.real()) < 1e-6);
        }
      const int k = hands.pairs() - 1;
      const auto factor = complexOf(distance, k, hands.width, hands.base);
      CHECK(set[positionShift::factor](k, 0) == Approx(factor.imag()).margin(1e-7));
      CHECK(set[positionShift::factor](k, 1) == Approx(factor.real()).margin(1e-7));
      CHECK(R(hands.sine(k), hands.cosine(k)) == Approx(factor.imag()).margin(1e-7));
      CHECK(R(hands.cosine(k), hands.sine(k)) == Approx(-factor.imag()).margin(1e-7));
      CHECK(R(hands.sine(k), hands.sine(0)) == 0);
      if (hands.width % 2 == 0) CHECK(set[positionShift::largest](0) < 1e-6f);
      CHECK(std::isnan(set[positionShift::error](1023)));
    }
}

TEST_CASE("a weighted sum of shifts is one matrix, and its blocks are the filter's response") {
  const SinusoidPairs hands{0, 12, 10000};
  const Tensor p = sinusoids(40, hands);
  const std::vector<PositionTap> taps{{-2, -0.3f}, {0, 0.5f}, {3, 0.25f}};
  TensorSet set;
  measurePositionShift(p.view(), hands, taps, set);
  CHECK(set[positionShift::largest](0) < 1e-6f);
  for (const int t : {0, 1, 37, 39}) CHECK(std::isnan(set[positionShift::error](t)));
  for (const int t : {2, 20, 36}) CHECK(set[positionShift::error](t) < 1e-6f);
  for (int k = 0; k < 6; ++k) {
    std::complex<double> response = 0, moved = 0;
    for (const PositionTap& tap : taps) {
      response += static_cast<double>(tap.weight) * complexOf(tap.distance, k, 12, 10000);
      moved += static_cast<double>(tap.weight) * complexOf(20 + tap.distance, k, 12, 10000);
    }
    CHECK(set[positionShift::factor](k, 1) == Approx(response.real()).margin(1e-6));
    CHECK(set[positionShift::factor](k, 0) == Approx(response.imag()).margin(1e-6));
    CHECK(set[positionShift::moved](20, 2 * k + 1) == Approx(moved.real()).margin(1e-6));
    CHECK(set[positionShift::turned](20, 2 * k) == Approx(moved.imag()).margin(1e-6));
  }
}

TEST_CASE("what is no sinusoid is not turned by a shift, and the error says by how much") {
  const SinusoidPairs hands{0, 4, 10000};
  Tensor p = sinusoids(8, hands);
  p(5, 2) += 0.25f;
  TensorSet set;
  const PositionTap tap{1, 1};
  measurePositionShift(p.view(), hands, {&tap, 1}, set);
  CHECK(set[positionShift::error](4) == Approx(0.25).epsilon(1e-4));
  CHECK(set[positionShift::largest](0) == Approx(0.25).epsilon(1e-4));
  CHECK(set[positionShift::error](0) < 1e-6f);
  // What made a number of either side is known.
  for (const char* name : {positionShift::turned, positionShift::moved}) {
    const auto made = set.derive(name, {4, 2});
    REQUIRE(made);
    CHECK(made->value() == Approx(set[name](4, 2)).epsilon(1e-6));
  }
}
