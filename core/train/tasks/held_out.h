#pragma once
#include <cstdint>
#include <string_view>

#include "core/random.h"

namespace glassformer {

enum class Split { Training, HeldOut };

/// Whether a combination of words ("because|dog|hill|steep") is among the tenth that training never shows: a
/// fixed hash of the words, so that every seed and every version of the prose holds out the same ones.
bool isHeldOut(std::string_view combination);

/// Where held-out data that are not split by their words are drawn: another sequence of random numbers than
/// the one that training with this seed sees.
constexpr std::uint64_t heldOutSeed(std::uint64_t seed) { return mix(seed ^ 0x48454C444F555421u); }

}  // namespace glassformer
