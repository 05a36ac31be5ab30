#pragma once
#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "app/document/decoding.h"

namespace glassformer {

/// The strategies in files and on the command line, in their order.
inline constexpr std::initializer_list<const char*> strategyNames{"greedy", "sampling", "beam"};
inline const char* idOf(DecodingStrategy strategy) {
  return strategyNames.begin()[static_cast<std::size_t>(strategy)];
}
/// The one with one of these names.
inline DecodingStrategy strategyCalled(std::string_view id) {
  return static_cast<DecodingStrategy>(std::ranges::find(strategyNames, id) - strategyNames.begin());
}

/// A number that decoding is told besides those of sampling's stages (core/decode/sampling_stage.h). Window,
/// palette, command line, sessions, lessons and help all read it here.
struct DecodingNumber {
  struct Offered {
    float low = 0, high = 0, step = 1;
    int decimals = 0;
  };

  std::variant<int Decoding::*, float Decoding::*, std::uint64_t Decoding::*> member;
  std::optional<DecodingStrategy> strategy;  ///< that reads it; without one all do
  const char* field;                         ///< in sessions
  std::string_view option;                   ///< of the command line, without its dashes
  std::string_view name;                     ///< in the window, beside its field
  std::string_view nameAboveTree = name;     ///< and in the view of the tree
  std::string_view title = name;             ///< in the palette
  std::string_view meaning;
  std::string_view words;         ///< by which else it is found there
  Offered offered;                ///< by the window; sessions are held to it, too, seeds aside
  std::array<double, 2> taken{};  ///< by the command line, at least and at most, seeds aside
  /// Whether the window has it without being asked for it; null: always.
  bool (*isAtHand)(const Decoding& decoding) = nullptr;

  float of(const Decoding& decoding) const;
  void set(Decoding& decoding, float number) const;
};
std::span<const DecodingNumber> decodingNumbers();

/// Brings every number into its limits.
void holdToLimits(Decoding& decoding);

}  // namespace glassformer
