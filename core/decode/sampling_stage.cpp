#include "core/decode/sampling_stage.h"

#include <cmath>

namespace glassformer {

bool accepts(const SamplingStage& stage, float number) {
  switch (stage.number) {
    case SamplingStage::Number::Positive:
      return number > 0 && std::isfinite(number);
    case SamplingStage::Number::Count:
      return number >= 0 && std::isfinite(number) && number == std::floor(number);
    case SamplingStage::Number::Share:
      return number >= 0 && number <= 1;
    case SamplingStage::Number::Real:
      return std::isfinite(number);
  }
  return false;
}

}  // namespace glassformer
