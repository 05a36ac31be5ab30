#include "core/lens/position_shift.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace glassformer {
namespace {

using Taps = std::span<const PositionTap>;
using PlaceInTable = std::array<int, maxRank>;

// Σ w f(angle) of pair k.
template <typename Function>
float weighted(Taps taps, const ClockHands& hands, int k, Function f) {
  double sum = 0;
  for (const PositionTap& tap : taps) sum += tap.weight * f(hands.angle(tap.distance, k));
  return static_cast<float>(sum);
}
float cosineOf(Taps taps, const ClockHands& hands, int k) {
  return weighted(taps, hands, k, [](double angle) { return std::cos(angle); });
}
float sineOf(Taps taps, const ClockHands& hands, int k) {
  return weighted(taps, hands, k, [](double angle) { return std::sin(angle); });
}

// Σ w R(Δ) of D columns.
Tensor matrixOf(Taps taps, const ClockHands& hands, int D) {
  Tensor R({D, D});
  float all = 0;
  for (const PositionTap& tap : taps) all += tap.weight;
  for (int d = 0; d < D; ++d) R(d, d) = all;
  for (int k = 0; k < hands.pairs(); ++k) {
    const int s = hands.sine(k), c = hands.cosine(k);
    R(s, s) = R(c, c) = cosineOf(taps, hands, k);
    R(s, c) = sineOf(taps, hands, k), R(c, s) = -R(s, c);
  }
  return R;
}

Tensor factorsOf(Taps taps, const ClockHands& hands) {
  Tensor factors({hands.pairs(), 2});
  for (int k = 0; k < hands.pairs(); ++k)
    factors(k, 0) = sineOf(taps, hands, k), factors(k, 1) = cosineOf(taps, hands, k);
  return factors;
}

// The column that has a part in column d besides d itself; none beside the pairs.
std::vector<int> partnersOf(const ClockHands& hands, int D) {
  std::vector<int> partners(static_cast<std::size_t>(D), -1);
  for (int k = 0; k < hands.pairs(); ++k) {
    partners[static_cast<std::size_t>(hands.sine(k))] = hands.cosine(k);
    partners[static_cast<std::size_t>(hands.cosine(k))] = hands.sine(k);
  }
  return partners;
}

Derivation productOf(const TensorView& R, const TensorView& p, const std::vector<int>& partners, int t,
                     int d) {
  Derivation made{.terms = {{&R(d, d), &p(t, d)}}};
  if (const int other = partners[static_cast<std::size_t>(d)]; other >= 0)
    made.terms.push_back({&R(d, other), &p(t, other)});
  return made;
}

Derivation sumOf(Taps taps, const TensorView& p, int t, int d) {
  Derivation made;
  for (const PositionTap& tap : taps) {
    const int at = t + tap.distance;
    if (at < 0 || at >= p.extent[0])
      made.terms.push_back({nullptr, nullptr, std::numeric_limits<float>::quiet_NaN()});
    else
      made.terms.push_back({&p(at, d), nullptr, tap.weight});
  }
  return made;
}

// A number for every cell of the table, as its terms give it.
template <typename Made>
Tensor computed(const TensorView& p, Made made) {
  Tensor values({p.extent[0], p.extent[1]});
  for (int t = 0; t < p.extent[0]; ++t)
    for (int d = 0; d < p.extent[1]; ++d) values(t, d) = static_cast<float>(made(t, d).sum());
  return values;
}

Tensor errorsOf(const TensorView& a, const TensorView& b) {
  Tensor errors({a.extent[0]});
  for (int t = 0; t < a.extent[0]; ++t)
    for (int d = 0; d < a.extent[1]; ++d) {
      const float apart = std::abs(a(t, d) - b(t, d));
      if (std::isnan(apart) || apart > errors(t)) errors(t) = apart;
    }
  return errors;
}

float largestOf(const Tensor& errors) {
  float most = std::numeric_limits<float>::quiet_NaN();
  for (const float error : errors.values()) most = std::fmax(most, error);
  return most;
}

}  // namespace

void measurePositionShift(const TensorView& p, const ClockHands& hands, Taps taps, TensorSet& measurements) {
  namespace point = positionShift;
  const int D = p.extent[1];
  const bool isOne = taps.size() == 1 && taps[0].weight == 1;
  const auto add = [&](const char* name, const char* letters, const char* meaning, const char* equation,
                       Tensor values, TensorSet::DerivationOf derivation = nullptr) {
    measurements.add({name, letters, meaning, equation}, std::move(values), std::move(derivation));
    return measurements[name];
  };
  const TensorView R =
      add(point::matrix, "DD", isOne ? "the rotation that shifts by Δ" : "the shifts' weighted sum",
          isOne ? "R(Δ)" : "Σ w R(Δ)", matrixOf(taps, hands, D));
  add(point::factor, "Q1", "what each pair is multiplied with, imaginary and real part",
      isOne ? "e^(iΔ/rᵏ)" : "Σ w e^(iΔ/rᵏ)", factorsOf(taps, hands));
  const std::vector<PositionTap> kept(taps.begin(), taps.end());
  const std::vector<int> partners = partnersOf(hands, D);
  const auto byMatrix = [R, p, partners](int t, int d) { return productOf(R, p, partners, t, d); };
  const auto byShifts = [kept, p](int t, int d) { return sumOf(kept, p, t, d); };
  const auto asDerivation = [](auto made) {
    return [made](const PlaceInTable& at) { return made(at[0], at[1]); };
  };
  const TensorView left = add(point::turned, "CD", "the encoding of each position through the matrix",
                              isOne ? "R(Δ) p(t)" : "(Σ w R(Δ)) p(t)", computed(p, byMatrix),
                              asDerivation(byMatrix)),
                   right = add(point::moved, "CD", "the encodings of shifted positions",
                               isOne ? "p(t + Δ)" : "Σ w p(t + Δ)", computed(p, byShifts),
                               asDerivation(byShifts));
  Tensor errors = errorsOf(left, right);
  Tensor most({1});
  most(0) = largestOf(errors);
  add(point::error, "C", "the largest difference between both at a position",
      isOne ? "max |R(Δ) p(t) − p(t + Δ)|" : "max |(Σ w R(Δ)) p(t) − Σ w p(t + Δ)|", std::move(errors));
  add(point::largest, "1", "the largest difference at any position", "max over t", std::move(most));
}

}  // namespace glassformer
