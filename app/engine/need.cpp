#include "app/engine/need.h"

namespace glassformer {

void KeptMeasurement::put(Snapshot& snapshot, const Kept& here, const Kept& there, const Kept& difference) {
  snapshot.kept = here;
  if (!snapshot.other) return;
  snapshot.other = with(*snapshot.other, &Snapshot::kept, there);
  if (snapshot.difference) snapshot.difference = with(*snapshot.difference, &Snapshot::kept, difference);
}

}  // namespace glassformer
