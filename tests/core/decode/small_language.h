#pragma once
#include <span>
#include <vector>

#include "core/random.h"

namespace glassformer {

/// A language of six tokens: what follows depends on the last two.
inline std::vector<float> smallLanguage(std::span<const int> tokens) {
  const auto seed = tokens.size() > 1 ? static_cast<std::uint64_t>(tokens[tokens.size() - 2]) : 9;
  Random random(seed * 10 + static_cast<std::uint64_t>(tokens.back()));
  std::vector<float> logits;
  for (int i = 0; i < 6; ++i) logits.push_back(static_cast<float>(2 * random.normal()));
  return logits;
}

}  // namespace glassformer
