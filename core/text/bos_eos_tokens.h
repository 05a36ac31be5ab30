#pragma once
#include <string>
#include <vector>

namespace glassformer {

/// The special tokens that a model has learned texts between, though nobody writes them: "[CLS]" before and
/// "[SEP]" behind. Empty: there are none.
struct BosEosTokens {
  std::vector<std::string> start, close;
  bool operator==(const BosEosTokens&) const = default;
};

}  // namespace glassformer
