#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>

#include "core/train/tasks/text_task.h"

namespace glassformer {

/// Any text file as something to learn (see text_task.h). Refuses, with the place, what cannot be read and
/// what is no text; what is too large before it is read.
Result<std::shared_ptr<const TrainingTask>> readTextTask(const std::filesystem::path& path, TextTokens tokens,
                                                         std::uint64_t seed, int steps);

}  // namespace glassformer
