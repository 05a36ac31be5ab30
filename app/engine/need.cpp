#include "app/engine/need.h"

namespace glassformer {

void KeptMeasurement::showNothing(Snapshot& snapshot) {
  snapshot.kept = nullptr, snapshot.keptMissing.clear();
  if (!snapshot.other) return;
  auto other = std::make_shared<Snapshot>(*snapshot.other);
  other->kept = nullptr, other->keptMissing = "this is computed for the open text alone";
  snapshot.other = std::move(other);
}

}  // namespace glassformer
