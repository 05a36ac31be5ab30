#pragma once
#include <limits>
#include <vector>

#include "core/lens/attention_rule.h"
#include "core/tensor/tensor.h"

namespace glassformer {

/// How well a rule P says where a head A looks. In row t
///
///     a_t = Σ_s min(A[t, s], P[t, s]) = 1 − ½ Σ_s |A[t, s] − P[t, s]|,
///
/// what both distributions share (one minus their total variation): the part of the attention that lies where
/// the rule puts it. It is 1 only where they are the same, and 0 where they share no key; a divergence
/// would be infinite as soon as the head looks a little where the rule does not. Of a rule with
/// one key a row it is the attention to that key, as the scores of head_rules.h are.
std::vector<float> rowAgreement(const TensorView& attention, const TensorView& pattern);

/// Of a text it is the mean of a_t over the rows about which the rule says something and that see more
/// than one key: where there is no choice every rule is right.
struct TextAgreement {
  static constexpr float nothingSaid = std::numeric_limits<float>::quiet_NaN();

  float agreement = nothingSaid;
  int worst = -1;   ///< the query where it is least; -1: there is none
  int spoken = 0;   ///< rows that it is the mean of
  int choices = 0;  ///< rows that see more than one key
  float named = 0;  ///< Σ of A over the keys with P > 0, on average over these rows: attention that is named

  bool saysAnything() const { return spoken > 0; }
};
TextAgreement agreementOn(const RuleContext& over, const TensorView& attention, const TensorView& pattern);

/// What numbers, one of each text, have in common.
class Spread {
 public:
  void add(double number);
  double mean() const { return mean_; }
  /// Sample standard deviation over the texts; 0 of one.
  double deviation() const;
  int texts() const { return texts_; }

 private:
  double mean_ = 0, squares_ = 0;
  int texts_ = 0;
};

/// Agreement over many texts.
class Agreement {
 public:
  void add(const TextAgreement& text);
  const Spread& shared() const { return shared_; }  ///< TextAgreement::agreement, and so the next
  const Spread& named() const { return named_; }
  /// The share of rows with a choice about which something is said.
  double coverage() const {
    return choices_ > 0 ? static_cast<double>(spoken_) / static_cast<double>(choices_) : 0;
  }
  int texts() const { return shared_.texts(); }  ///< in which something is said

 private:
  Spread shared_, named_;
  long long spoken_ = 0, choices_ = 0;
};

/// Texts counted by their agreement: as many bins of one width, the last with 1 in it.
inline constexpr int agreementBins = 20;
int binOf(float agreement);

}  // namespace glassformer
