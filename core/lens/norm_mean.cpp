#include "core/lens/norm_mean.h"

#include "core/model/point_names.h"

namespace glassformer {

std::string meanTensor(const std::string& normalized) {
  const std::string scale = scalePoint(normalized);
  return "lens.mean." + scale.substr(0, scale.rfind('.'));
}

void measureNormMean(const Trace& trace, const std::string& normalized, TensorSet& set) {
  const auto first = trace.derive(normalized, {0, 0});
  if (!first || first->form != Form::Normalized || !first->centred) return;
  const int T = trace[normalized].extent[0];
  Tensor means({T, 1});
  for (int t = 0; t < T; ++t) means(t, 0) = static_cast<float>(trace.derive(normalized, {t, 0})->mean());
  const Stream rows = trace.point(trace.find(normalized)).rows;
  const auto meanOf = [&trace, normalized](const std::array<int, maxRank>& at) {
    Derivation d{.terms = trace.derive(normalized, {at[0], 0})->terms};
    for (Term& term : d.terms) term.coefficient /= static_cast<float>(d.terms.size());
    return d;
  };
  set.add({meanTensor(normalized), "T1", "the mean of each token's residual", "μ = mean(x)", rows, rows},
          std::move(means), meanOf);
}

}  // namespace glassformer
