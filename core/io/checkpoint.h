#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "core/result.h"
#include "core/train/trainer.h"

namespace glassformer {

/// Writes everything a training run needs to go on as if it had never stopped: weights, Adam's moments and
/// the step, in one safetensors file that is replaced as a whole. `recipe` describes the run;
/// readCheckpoint() hands it back.
Status writeCheckpoint(const std::filesystem::path& path, const Trainer& trainer,
                       std::map<std::string, std::string> recipe = {});

/// Puts a checkpoint's state into a trainer of the same config. Refuses one of another shape, or of another
/// recipe than `recipe`, naming what differs; the trainer is then unchanged. What a file does not say was
/// empty.
Status readCheckpoint(const std::filesystem::path& path, Trainer& trainer,
                      const std::map<std::string, std::string>& recipe = {});

}  // namespace glassformer
