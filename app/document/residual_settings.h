#pragma once

namespace glassformer {

/// What each part's contribution is to: the final state, as share or as length, or a logit, as it is or less
/// the mean of all.
enum class ContributionTo { FinalState, Length, Logit, CentredLogit };

/// Settings of the residual view.
struct ResidualSettings {
  ContributionTo to = ContributionTo::CentredLogit;
  int entry = -1;  ///< whose logit; -1: the model's own answer at the selected position

  bool operator==(const ResidualSettings&) const = default;
};

}  // namespace glassformer
