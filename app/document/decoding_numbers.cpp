#include "app/document/decoding_numbers.h"

#include <algorithm>
#include <array>
#include <limits>

namespace glassformer {

namespace {

bool searchesInGroups(const Decoding& decoding) { return decoding.groups > 1; }

}  // namespace

std::span<const DecodingNumber> decodingNumbers() {
  using enum DecodingStrategy;
  static constexpr std::array all{
      DecodingNumber{.member = &Decoding::beamWidth,
                     .strategy = Beam,
                     .field = "beamWidth",
                     .option = "num-beams",
                     .name = "Beams",
                     .title = "Beams: width of the beam",
                     .meaning = "Hypotheses kept at each step (num_beams)",
                     .words = "hypotheses",
                     .offered = {1, 32},
                     .taken = {1, 256}},
      DecodingNumber{.member = &Decoding::depth,
                     .field = "depth",
                     .option = "max-new-tokens",
                     .name = "Max new tokens",
                     .nameAboveTree = "Depth",
                     .title = "Max new tokens",
                     .meaning = "Largest number of tokens to add",
                     .words = "length, horizon, depth, tokens ahead",
                     .offered = {1, 64},
                     .taken = {1, std::numeric_limits<double>::infinity()}},
      DecodingNumber{.member = &Decoding::lengthPenalty,
                     .strategy = Beam,
                     .field = "lengthPenalty",
                     .option = "length-penalty",
                     .name = "Length penalty",
                     .meaning = "α: hypotheses of n tokens are ranked by log P / nᵅ",
                     .words = "beam alpha",
                     .offered = {0, 2, 0.1f, 1},
                     .taken = {-100, 100}},
      DecodingNumber{.member = &Decoding::siblingPenalty,
                     .strategy = Beam,
                     .field = "siblingPenalty",
                     .option = "sibling-penalty",
                     .name = "Sibling penalty",
                     .title = "Sibling penalty: diversity of the beam",
                     .meaning = "γ: the k-th best token of one hypothesis is ranked γ (k − 1) lower",
                     .words = "beam gamma diverse",
                     .offered = {0, 8, 0.25f, 2},
                     .taken = {0, 100},
                     .isAtHand = [](const Decoding& d) { return d.siblingPenalty != 0; }},
      DecodingNumber{.member = &Decoding::groups,
                     .strategy = Beam,
                     .field = "groups",
                     .option = "num-beam-groups",
                     .name = "Beam groups",
                     .title = "Beam groups: diverse beam search",
                     .meaning = "Number of groups of the beam, searched one after the other",
                     .words = "diversity dbs",
                     .offered = {1, 8},
                     .taken = {1, 256},
                     .isAtHand = searchesInGroups},
      DecodingNumber{
          .member = &Decoding::groupPenalty,
          .strategy = Beam,
          .field = "groupPenalty",
          .option = "diversity-penalty",
          .name = "Diversity penalty",
          .title = "Diversity penalty: diversity between beam groups",
          .meaning = "λ: a token is ranked λ lower for each earlier group that chose it at the same step",
          .words = "beam lambda hamming diverse group penalty",
          .offered = {0, 8, 0.25f, 2},
          .taken = {0, 100},
          .isAtHand = searchesInGroups},
      DecodingNumber{.member = &Decoding::seed,
                     .strategy = Sampling,
                     .field = "seed",
                     .option = "seed",
                     .name = "Seed",
                     .title = "Seed of sampling",
                     .meaning = "Random seed: the same seed samples the same tokens",
                     .words = "random",
                     .offered = {0, 9999}}};
  return all;
}

float DecodingNumber::of(const Decoding& decoding) const {
  return std::visit([&](auto at) { return static_cast<float>(decoding.*at); }, member);
}

void DecodingNumber::set(Decoding& decoding, float number) const {
  std::visit([&](auto at) { decoding.*at = static_cast<std::decay_t<decltype(decoding.*at)>>(number); },
             member);
}

void holdToLimits(Decoding& decoding) {
  for (const DecodingNumber& number : decodingNumbers())
    if (!std::holds_alternative<std::uint64_t Decoding::*>(number.member))
      number.set(decoding, std::clamp(number.of(decoding), number.offered.low, number.offered.high));
}

}  // namespace glassformer
