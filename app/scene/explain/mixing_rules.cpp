#include <cmath>

#include "app/scene/explain/operands.h"
#include "app/scene/format.h"

namespace glassformer {

namespace {

std::optional<Explanation> state(const Operands& o) {
  const float u = o.same("recurrence.hook_input"), r = o.same("recurrence.hook_carried");
  return Explanation{{"= tanh(" + formatted(u) + " + " + signedOperand(r) + ")"}, std::tanh(u + r), false};
}

// The product itself comes off weights, which are in no trace.
std::optional<Explanation> carried(const Operands& o) {
  const auto [token, dimension, unused, unused2] = o.cell.index;
  if (token == 0) return Explanation{{"0: no state comes before the first token"}, 0.0f, false};
  const int width = o.extent(o.cell.tensor, 1);
  return Explanation{{"the " + std::to_string(width) + " numbers of the state after token " +
                      std::to_string(token - 1) + ", each times a weight"},
                     std::nullopt,
                     false};
}

std::optional<Explanation> tap(const Operands& o) {
  const auto [token, tap, dimension, unused] = o.cell.index;
  if (tap > token) return Explanation{{"0: nothing stands before the first token"}, 0.0f, false};
  const std::string from = tap == 0 ? "the token itself" : "token " + std::to_string(token - tap);
  return Explanation{{"from " + from + ", its " + std::to_string(o.extent(o.cell.tensor, 2)) +
                      " numbers each times a weight"},
                     std::nullopt,
                     false};
}

// The bias is in no trace either.
std::optional<Explanation> convolved(const Operands& o) {
  const auto [token, dimension, unused, unused2] = o.cell.index;
  const std::string taps = o.block(o.layer, "convolution.hook_taps");
  const int count = o.extent(taps, 1);
  constexpr int shown = 6;
  float all = 0;
  std::string terms = "=";
  for (int j = 0; j < count; ++j) {
    const float term = o.at(taps, {token, j, dimension});
    all += term;
    if (j < shown) terms += (j ? " + " : " ") + (j ? signedOperand(term) : formatted(term));
  }
  if (count > shown) terms += " + … " + std::to_string(count - shown) + " more";
  return Explanation{{terms + " + b", "= " + formatted(all) + " + b"}, std::nullopt, false};
}

constexpr ExplanationRule mixingTable[] = {
    {"recurrence.hook_state", state},
    {"recurrence.hook_carried", carried},
    {"convolution.hook_taps", tap},
    {"hook_convolution_out", convolved},
};

}  // namespace

std::span<const ExplanationRule> mixingRules() { return mixingTable; }

}  // namespace glassformer
