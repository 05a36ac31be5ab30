#pragma once
#include <string>
#include <vector>

namespace glassformer {

/// What a continuation has to be.
struct Constraint {
  /// A regular expression that it has to match as a whole: "red|green", "\d+ apples". The space in front of
  /// the first word may be written, as tokens have it, or left out. Empty: anything.
  std::string pattern;
  std::string behind;       ///< the text that it begins behind; any other text is one to begin behind, too
  std::vector<int> banned;  ///< tokens that are not in it, ascending

  bool isOff() const { return pattern.empty() && banned.empty(); }
  bool operator==(const Constraint&) const = default;
};

}  // namespace glassformer
