#include "core/lens/position_shift.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/trace/derived.h"

namespace glassformer {
namespace {

using Taps = std::span<const PositionTap>;
using PlaceInTable = std::array<int, maxRank>;

// Cosine and sine of how far each shift turns each pair, and the weights of their sum.
struct Turns {
  TensorView cosine, sine;  // [Z, P/2]
  std::vector<float> weights;

  // Σ w f of pair k.
  Derivation sum(const TensorView& f, int k, float sign = 1) const {
    Derivation made;
    for (std::size_t i = 0; i < weights.size(); ++i)
      made.terms.push_back({&f(static_cast<int>(i), k), nullptr, sign * weights[i]});
    return made;
  }
};

Turns addTurns(const SinusoidPairs& hands, Taps taps, TensorSet& set) {
  namespace point = positionShift;
  const int Z = static_cast<int>(taps.size()), Q = hands.pairs();
  Turns turns;
  Tensor distances({Z});
  for (int i = 0; i < Z; ++i) {
    distances(i) = static_cast<float>(taps[static_cast<std::size_t>(i)].distance);
    turns.weights.push_back(taps[static_cast<std::size_t>(i)].weight);
  }
  set.add({point::distance, "Z", "distance of each shift", "Δ"}, std::move(distances));
  const TensorView distance = set[point::distance];
  // Less whole turns, so that 32 bits hold it.
  Tensor angles({Z, Q});
  const auto turned = [=](float by, int k) { return hands.angle(static_cast<double>(by), k); };
  for (int i = 0; i < Z; ++i)
    for (int k = 0; k < Q; ++k)
      angles(i, k) = static_cast<float>(std::remainder(turned(distance(i), k), 2 * std::numbers::pi));
  set.add({point::angle, "ZQ", "angle of a pair under the shift, in radians from −π to π", "Δ/rᵏ"},
          std::move(angles), [=](const PlaceInTable& at) {
            const double angle = turned(distance(at[0]), at[1]),
                         whole = angle - std::remainder(angle, 2 * std::numbers::pi);
            Derivation made{.terms = {{&distance(at[0]), nullptr, static_cast<float>(turned(1, at[1]))}}};
            if (whole != 0) made.terms.push_back({nullptr, nullptr, static_cast<float>(-whole)});
            return made;
          });
  const auto add = [&](const char* name, const char* equation, double (*function)(double),
                       const char* called) {
    addDerived(set, {name, "ZQ", "factor of sine and cosine of the pair", equation}, {Z, Q},
               [=, angle = set[point::angle]](const PlaceInTable& at) {
                 return Derivation{.form = Form::Function,
                                   .terms = {{&angle(at[0], at[1])}},
                                   .function = function,
                                   .functionName = called};
               });
    return set[name];
  };
  turns.cosine = add(
      point::cosine, "cos Δ/rᵏ", [](double angle) { return std::cos(angle); }, "cos");
  turns.sine = add(
      point::sine, "sin Δ/rᵏ", [](double angle) { return std::sin(angle); }, "sin");
  return turns;
}

// Σ w R(Δ) in a row and a column: of one pair its cosine or sine, beside the pairs Σ w on the diagonal, else
// nothing.
Derivation matrixCell(const Turns& turns, const SinusoidPairs& hands, const std::vector<int>& partners,
                      int row, int column) {
  const bool isPaired = partners[static_cast<std::size_t>(row)] >= 0;
  const int k = isPaired ? hands.pairAt(row) : 0;
  if (isPaired && row == column) return turns.sum(turns.cosine, k);
  if (isPaired && partners[static_cast<std::size_t>(row)] == column)
    return turns.sum(turns.sine, k, row == hands.sine(k) ? 1.0f : -1.0f);
  Derivation all;
  for (const float weight : turns.weights)
    if (row == column) all.terms.push_back({nullptr, nullptr, weight});
  return all;
}

// The column that has a part in column d besides d itself; none beside the pairs.
std::vector<int> partnersOf(const SinusoidPairs& hands, int D) {
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

// |a − b| where the two rows are furthest apart.
Derivation errorOf(const TensorView& a, const TensorView& b) {
  int furthest = 0;
  for (int d = 0; d < a.extent[0]; ++d) {
    const float apart = std::abs(a(d) - b(d));
    if (std::isnan(apart) || apart > std::abs(a(furthest) - b(furthest))) furthest = d;
  }
  const bool isLess = a(furthest) < b(furthest);
  return derivedDifference(isLess ? &b(furthest) : &a(furthest), isLess ? &a(furthest) : &b(furthest));
}

// The largest that is a number.
Derivation largestOf(const TensorView& errors) {
  Cell most = &errors(0);
  for (int t = 0; t < errors.extent[0]; ++t)
    if (std::isnan(*most) || errors(t) > *most) most = &errors(t);
  return {.terms = {{most}}};
}

}  // namespace

void measurePositionShift(const TensorView& p, const SinusoidPairs& hands, Taps taps,
                          TensorSet& measurements) {
  namespace point = positionShift;
  const int D = p.extent[1];
  const bool isOne = taps.size() == 1 && taps[0].weight == 1;
  const auto add = [&](const char* name, const char* letters, const char* meaning, const char* equation,
                       Tensor values, TensorSet::DerivationOf derivation = nullptr) {
    measurements.add({name, letters, meaning, equation}, std::move(values), std::move(derivation));
    return measurements[name];
  };
  const std::vector<PositionTap> kept(taps.begin(), taps.end());
  const std::vector<int> partners = partnersOf(hands, D);
  const Turns turns = addTurns(hands, taps, measurements);
  addDerived(measurements,
             {point::matrix, "DD", isOne ? "the rotation that shifts by Δ" : "the shifts' weighted sum",
              isOne ? "R(Δ)" : "Σ w R(Δ)"},
             {D, D},
             [=](const PlaceInTable& at) { return matrixCell(turns, hands, partners, at[0], at[1]); });
  addDerived(measurements,
             {point::factor, "Q1", "factor of each pair, imaginary and real part",
              isOne ? "e^(iΔ/rᵏ)" : "Σ w e^(iΔ/rᵏ)"},
             {hands.pairs(), 2}, [=](const PlaceInTable& at) {
               return turns.sum(at[1] == 0 ? turns.sine : turns.cosine, at[0]);
             });
  const TensorView R = measurements[point::matrix];
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
  addDerived(measurements,
             {point::error, "C", "the largest difference between both at a position",
              isOne ? "max |R(Δ) p(t) − p(t + Δ)|" : "max |(Σ w R(Δ)) p(t) − Σ w p(t + Δ)|"},
             {p.extent[0]}, [=](const PlaceInTable& at) { return errorOf(left[at[0]], right[at[0]]); });
  const TensorView errors = measurements[point::error];
  addDerived(measurements, {point::largest, "1", "the largest difference at any position", "max over t"}, {1},
             [errors](const PlaceInTable&) { return largestOf(errors); });
}

}  // namespace glassformer
