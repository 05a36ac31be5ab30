#include "app/engine/run_report.h"

#include <limits>

namespace glassformer {

std::shared_ptr<const Transformer> RunSide::modelAt(int step) const {
  const WeightRing::Weights kept = weights->at(step < 0 ? std::numeric_limits<int>::max() : step);
  Parameters parameters(parameterSpecs(config));
  std::ranges::copy(*kept, parameters.values().begin());
  return std::make_shared<const Transformer>(config, std::move(parameters));
}

}  // namespace glassformer
