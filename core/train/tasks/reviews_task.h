#pragma once
#include <cstdint>
#include <memory>

#include "core/train/training_task.h"

namespace glassformer {

/// "the film was not dull although the end was bad>positive": whether a review praises. A clause does so by
/// its adjective, or, behind "not" or "never", by the opposite; of two clauses the one behind "but" counts,
/// the one before "although". A classifier of texts: the class is read off the last token, which sees all.
/// `steps` 0: as it is offered.
std::shared_ptr<const TrainingTask> reviewsTask(std::uint64_t seed, int steps);

}  // namespace glassformer
