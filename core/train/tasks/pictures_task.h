#pragma once
#include <cstdint>
#include <memory>

#include "core/train/training_task.h"

namespace glassformer {

/// Says what a tiny picture shows: the patches of a Bitmap, some of its pixels flipped, then ">", and behind
/// it the name of the shape. A classifier of images, with no other stack than the one that reads text: only
/// that nothing is masked, for a picture has no direction. `steps` 0: as it is offered.
std::shared_ptr<const TrainingTask> picturesTask(std::uint64_t seed, int steps);

}  // namespace glassformer
