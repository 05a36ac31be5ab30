#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"

namespace glassformer {

/// A regular expression (PCRE2, over Unicode characters). Immutable, and safe to use from several threads.
/// Bytes that are no characters match nothing.
class Expression {
 public:
  /// Refuses what is no expression, with the place in it.
  static Result<Expression> compile(std::string_view pattern);

  struct Match {
    std::size_t begin = 0, end = 0;  ///< bytes
  };
  /// The first match from a byte on. None either where looking takes too long.
  std::optional<Match> find(std::string_view text, std::size_t from) const;

  enum class Fit { No, SoFar, Whole };
  /// Whether a text as a whole is a match, or what a match may begin with. Bytes at its end that begin a
  /// character fit where one of those does that the pattern names, or one of a few others of that beginning.
  Fit fitOf(std::string_view text) const;

  const std::string& pattern() const { return pattern_; }

 private:
  std::string pattern_;
  std::shared_ptr<const void> anywhere_, whole_;
};

}  // namespace glassformer
