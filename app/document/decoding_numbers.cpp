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
                     .option = "width",
                     .name = "Width",
                     .title = "Width of the beam",
                     .meaning = "hypotheses that go on at each step",
                     .words = "hypotheses",
                     .offered = {1, 32},
                     .taken = {1, 256}},
      DecodingNumber{.member = &Decoding::depth,
                     .field = "depth",
                     .option = "tokens",
                     .name = "Tokens",
                     .nameAboveTree = "Depth",
                     .title = "Depth: tokens ahead",
                     .meaning = "how many tokens to add at most",
                     .words = "length horizon look",
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
                     .name = "Siblings",
                     .title = "Sibling penalty: diversity of the beam",
                     .meaning =
                         "γ: the k-th best of one hypothesis is ranked γ (k − 1) lower, so that siblings "
                         "do not fill the beam",
                     .words = "beam gamma diverse",
                     .offered = {0, 8, 0.25f, 2},
                     .taken = {0, 100},
                     .isAtHand = [](const Decoding& d) { return d.siblingPenalty != 0; }},
      DecodingNumber{.member = &Decoding::groups,
                     .strategy = Beam,
                     .field = "groups",
                     .option = "groups",
                     .name = "Groups",
                     .title = "Groups of the beam: diverse beam search",
                     .meaning = "how many groups the beam is split into, each searched after the ones before",
                     .words = "diversity dbs",
                     .offered = {1, 8},
                     .taken = {1, 256},
                     .isAtHand = searchesInGroups},
      DecodingNumber{.member = &Decoding::groupPenalty,
                     .strategy = Beam,
                     .field = "groupPenalty",
                     .option = "group-penalty",
                     .name = "Repeats",
                     .title = "Group penalty: diversity between groups of the beam",
                     .meaning = "λ: a token is ranked λ lower for each hypothesis of the groups before that "
                                "took it at the same step",
                     .words = "beam lambda hamming diverse",
                     .offered = {0, 8, 0.25f, 2},
                     .taken = {0, 100},
                     .isAtHand = searchesInGroups},
      DecodingNumber{.member = &Decoding::seed,
                     .strategy = Sampling,
                     .field = "seed",
                     .option = "seed",
                     .name = "Seed",
                     .title = "Seed of sampling",
                     .meaning = "the same seed draws the same tokens",
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
