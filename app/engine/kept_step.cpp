#include "app/engine/kept_step.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "app/engine/open_run.h"
#include "app/engine/training_origin.h"
#include "core/io/checkpoint.h"
#include "core/io/model_directory.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

Error notKept(int step, const fs::path& folder, const std::string& kept) {
  return {"keeps no weights of step " + std::to_string(step), folder.string(), kept};
}

Result<KeptStep> stepOfRun(const fs::path& folder, std::optional<int> step) {
  constexpr std::size_t budget = std::size_t{1} << 30;
  const auto run = OpenRun::open(folder.filename().string(), folder, {.threads = 1, .budget = budget});
  if (!run) return run.error();
  const RunVariant side = (*run)->report("", false).side;
  const int before = side.weights->stepAt(step.value_or(std::numeric_limits<int>::max()));
  if (step && before != *step)
    return notKept(*step, folder,
                   before < 0 ? "no earlier step is saved either"
                              : "those before it are of step " + std::to_string(before));
  if (before < 0) return Error{"keeps no weights yet", folder.string(), "it has still to be trained"};
  return KeptStep{before, side.modelAt(before)};
}

// What a training that is under way goes on from.
Result<KeptStep> stepOfCheckpoint(const fs::path& file) {
  auto model = readCheckpointModel(file);
  if (!model) return model.error();
  return KeptStep{model->step,
                  std::make_shared<const Transformer>(model->config, std::move(model->parameters))};
}

// What a training has ended with.
Result<KeptStep> lastStep(const fs::path& folder) {
  auto directory = readModelDirectory(folder);
  if (!directory) return directory.error();
  const auto steps = stepsTrained(directory->card);
  if (!steps)
    return Error{"is a model without a training step in its card", folder.string(),
                 "its card does where `glassformer train --out` has written it"};
  return KeptStep{*steps,
                  std::make_shared<const Transformer>(directory->config, std::move(directory->parameters))};
}

}  // namespace

Result<KeptStep> keptStep(const fs::path& folder, std::optional<int> step) {
  if (OpenRun::isIn(folder)) return stepOfRun(folder, step);
  std::error_code error;
  const fs::path checkpoint = folder / trainingCheckpointFile;
  std::vector<KeptStep> there;
  if (fs::exists(checkpoint, error)) {
    auto begun = stepOfCheckpoint(checkpoint);
    if (!begun) return begun;
    there.push_back(*std::move(begun));
  }
  if (isModelDirectory(folder)) {
    auto ended = lastStep(folder);
    if (!ended) return ended;
    there.push_back(*std::move(ended));
  }
  if (there.empty())
    return Error{"contains neither a saved run nor an output of `glassformer train --out`", folder.string(),
                 "runs of the window are in its folder runs/"};
  if (!step) return std::ranges::max(there, {}, &KeptStep::step);
  const auto wanted = std::ranges::find(there, *step, &KeptStep::step);
  if (wanted != there.end()) return *wanted;
  std::string kept;
  for (const KeptStep& each : there)
    kept += (kept.empty() ? "at step " : " and ") + std::to_string(each.step);
  return notKept(*step, folder, "there are those " + kept);
}

}  // namespace glassformer
