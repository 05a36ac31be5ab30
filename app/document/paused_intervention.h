#pragma once
#include <cstddef>

#include "core/trace/interventions.h"

namespace glassformer {

/// An intervention that is kept but does not act.
struct PausedIntervention {
  Intervention intervention;
  std::size_t place = 0;  ///< among all that are listed, so that it comes back to where it was

  bool operator==(const PausedIntervention&) const = default;
};

}  // namespace glassformer
