#pragma once
#include <map>

#include "core/trace/derived.h"
#include "core/trace/interventions.h"
#include "core/trace/trace.h"

namespace glassformer {

/// What interventions leave of a change at the numbers of a pass, ∂ after / ∂ before.
class InterventionSlopes {
 public:
  /// `trace` outlives it.
  InterventionSlopes(const Trace& trace, const Interventions& interventions);

  bool actOn(int point) const { return byPoint_.contains(point); }
  /// 1 where none acts.
  float at(int point, const Index& index) const;
  /// The points that they act on.
  const std::map<int, Interventions>& byPoint() const { return byPoint_; }

 private:
  const Trace& trace_;
  std::map<int, Interventions> byPoint_;
};

}  // namespace glassformer
