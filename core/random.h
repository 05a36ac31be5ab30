#pragma once
#include <cmath>
#include <cstdint>
#include <numbers>

namespace glassformer {

/// SplitMix64's finaliser (Steele, Lea & Flood 2014): a good hash of 64 bits.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/// SplitMix64: the same numbers on every platform for the same seed, which std::distributions do not promise.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() { return mix(state_ += 0x9E3779B97F4A7C15u); }
  /// 0 <= x < n, every value equally likely (up to n / 2^32).
  constexpr int below(int n) {
    return static_cast<int>((next() >> 32) * static_cast<std::uint64_t>(n) >> 32);
  }
  /// 0 <= x < 1, 53 bits.
  constexpr double uniform01() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  /// Standard normal (Box & Muller 1958).
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform01()));
    return radius * std::cos(2 * std::numbers::pi * uniform01());
  }
  /// Random(state()) goes on where this one is: all that a checkpoint has to keep.
  constexpr std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_;
};

}  // namespace glassformer
