#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/decode/candidates.h"
#include "core/decode/constraint.h"
#include "core/model/config.h"
#include "core/text/expression.h"
#include "core/text/tokenizer.h"

namespace glassformer {

/// Where a continuation is not whole and no token leads on.
struct DeadEnd {
  int step = 0;         ///< the new token that there is none for, from 1
  std::string written;  ///< what the pattern has been held against: all behind the text that it begins behind
  std::string wanted;  ///< the characters that it could go on with: "d", "0–9 or a"; "": none that are known
  int banned = 0;      ///< tokens that would lead on if they were not banned

  bool operator==(const DeadEnd&) const = default;
};
/// "after “gre” the constraint wants “e”, and no token begins with that".
std::string describe(const DeadEnd& deadEnd);

/// Where a continuation stands in its pattern.
struct ConstraintStanding {
  Expression::Fit fit = Expression::Fit::No;
  std::string written;  ///< what the pattern is held against, without a space in front
  std::string wanted;   ///< the characters that may come next; "": none
};
/// "“old and ” matches so far, next t or h".
std::string describe(const ConstraintStanding& standing);

/// A constraint on what follows one text. Tokens that it cannot go on with are no candidates, before any
/// stage of sampling; the end of the text is one only where all of the pattern is matched.
class ConstraintCheck {
 public:
  /// Takes nothing out.
  ConstraintCheck() = default;
  /// Refuses a pattern that is none.
  static Result<ConstraintCheck> create(const Constraint& constraint,
                                        std::shared_ptr<const Tokenizer> tokenizer, std::string_view text);

  /// And what such a model itself asks of every text beside a source, of which it has read so many tokens:
  /// one token never follows, and where the context leaves room for one more token, one alone does.
  void holdTo(const ModelConfig& config, int read);

  bool isOff() const { return !expression_ && banned_.empty() && last_ < 0; }
  /// Whether each of so many tokens may follow the text and what was added to it.
  std::vector<bool> allowed(std::span<const int> added, int vocabulary) const;
  /// Whether the text with what was added is a whole match, or nothing is to be matched.
  bool isWhole(std::span<const int> added) const;
  /// Where the pattern stands behind what was added; nothing where there is none.
  std::optional<ConstraintStanding> standing(std::span<const int> added) const;
  /// Where none of so many tokens may follow, and what was added is not whole: what is missing there.
  std::optional<DeadEnd> deadEnd(std::span<const int> added, int vocabulary) const;
  /// The candidates among these, renormalised; maybe none, where bans or the vocabulary leave no way on.
  Candidates fitting(Candidates candidates, std::span<const int> added) const;

 private:
  Expression::Fit fitOf(std::string_view written) const;
  bool isSilent(int token) const;
  std::string writtenWith(std::span<const int> added) const;
  std::vector<bool> matching(std::span<const int> added, int vocabulary) const;
  std::string wantedBehind(const std::string& written) const;

  std::optional<Expression> expression_;
  std::shared_ptr<const Tokenizer> tokenizer_;
  std::string written_;  // of the continuation, before anything is added
  std::vector<int> banned_;
  int last_ = -1;  // the one token that follows so many:
  std::size_t lastBehind_ = 0;
};

}  // namespace glassformer
