#include "core/io/checkpoint.h"
#include "core/io/files.h"
#include "core/model/initialization.h"
#include "tests/fuzz/fuzzed_file.h"

using namespace glassformer;

namespace {

Trainer smallTrainer() {
  const ModelConfig config{
      .layers = 1, .heads = 1, .width = 2, .feedForward = 2, .vocabulary = 3, .context = 2};
  Parameters parameters(parameterSpecs(config));
  initialize(config, parameters, {}, 1);
  return Trainer(config, std::move(parameters), {.sequences = 1, .positions = 2, .shards = 1});
}

}  // namespace

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  const TemporaryFolder folder;
  Trainer trainer = smallTrainer();
  TrainingHistory history;
  for (int step = 0; step < 2; ++step) trainer.step({{0, 1}, {1, 2}});
  holds(!!writeCheckpoint(folder / "seed", trainer, {{"task", "fuzz"}}, &history));
  writeSeed(*argc, *argv, "first", *readTextFile(folder / "seed"));
  return 0;
}

// What is refused leaves the trainer as it was.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Trainer trainer = smallTrainer();
  TrainingHistory history;
  const int before = trainer.state().step;
  if (!readCheckpoint(fileOf(data, size, "fuzzed"), trainer, {}, &history))
    holds(trainer.state().step == before);
  if (const auto model = readCheckpointModel(fileOf(data, size, "fuzzed")); model)
    holds(model->parameters.count() == static_cast<int>(parameterSpecs(model->config).size()));
  return 0;
}
