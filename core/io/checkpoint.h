#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "core/result.h"
#include "core/train/training_history.h"

namespace glassformer {

/// Of a training without a window, in the folder that becomes the model's.
inline constexpr const char* trainingCheckpointFile = "checkpoint.safetensors";

/// Writes everything a training run needs to go on as if it had never stopped: weights, Adam's moments,
/// the step and the schedule, in one safetensors file that is replaced as a whole; with `history` what the
/// run has reported too. `recipe` describes the run.
Status writeCheckpoint(const std::filesystem::path& path, const Trainer& trainer,
                       std::map<std::string, std::string> recipe = {},
                       const TrainingHistory* history = nullptr);

/// Puts a checkpoint's state into a trainer of the same config. Refuses one of another shape, or of another
/// recipe than `recipe`, naming what differs; the trainer is then unchanged. What a file does not say was
/// empty. `history` gets what was reported up to the checkpoint; without that in the file it is refused too.
Status readCheckpoint(const std::filesystem::path& path, Trainer& trainer,
                      const std::map<std::string, std::string>& recipe = {},
                      TrainingHistory* history = nullptr);

/// A model as it was after a step.
struct ModelOfStep {
  int step = 0;
  ModelConfig config;
  Parameters parameters;
};

/// The model that a checkpoint is of, whichever run wrote it. An error names the tensor that is missing or of
/// another shape, or what the file does not say.
Result<ModelOfStep> readCheckpointModel(const std::filesystem::path& path);

}  // namespace glassformer
