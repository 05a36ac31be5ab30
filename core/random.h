#pragma once
#include <cassert>
#include <cstdint>

namespace glassformer {

/// Seeded pseudo-random numbers, the same on every platform and with every standard library (std's
/// distributions are not): SplitMix64 (Steele, Lea and Flood 2014), a counter that grows by the golden ratio
/// of 2^64 and is scrambled. All of the state is one number, so that a checkpoint can hold it. Not for
/// secrets.
class Random {
 public:
  explicit Random(std::uint64_t seed = 0) : state_(seed) {}

  /// 64 random bits.
  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15u;
    return scramble(state_);
  }

  /// A whole number from 0 to n - 1, each equally likely (no modulo bias: the few values that would cause it
  /// are drawn again); n > 0.
  std::uint32_t uniform(std::uint32_t n) {
    assert(n > 0);
    const std::uint32_t biased = (0u - n) % n;  // 2^32 mod n
    for (;;) {
      const auto bits = static_cast<std::uint32_t>(next() >> 32);
      if (bits >= biased) return bits % n;
    }
  }

  /// A multiple of 2^-53 in [0, 1).
  double uniform01() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  std::uint64_t state() const { return state_; }  ///< Random(state()) goes on where this one is

  /// The scrambling alone, a bijection of 64-bit numbers: also a good hash of one.
  static std::uint64_t scramble(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
  }

 private:
  std::uint64_t state_;
};

}  // namespace glassformer
