#pragma once

namespace glassformer {

/// Which picture the residual view draws.
enum class ResidualLayout { Norms, Cosine, Contributions, Scales };

/// What each part's contribution is to: the final state, as share or as length, or a logit.
enum class ContributionTo { FinalState, Length, Logit };

/// Settings of the residual view.
struct ResidualSettings {
  ResidualLayout layout = ResidualLayout::Norms;
  ContributionTo to = ContributionTo::FinalState;
  int entry = -1;  ///< whose logit; -1: the model's own answer at the selected position

  bool operator==(const ResidualSettings&) const = default;
};

}  // namespace glassformer
