#include "core/io/checkpoint.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <fstream>
#include <limits>

#include "core/io/files.h"
#include "core/model/initialization.h"
#include "core/random.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

const ModelConfig config{
    .layers = 1, .heads = 2, .width = 8, .feedForward = 16, .vocabulary = 12, .context = 6, .dropout = 0.1f};

Trainer makeTrainer(const ModelConfig& shape = config) {
  Parameters parameters(parameterSpecs(shape));
  initialize(shape, parameters, {}, 3);
  TrainingOptions options{.sequences = 2, .positions = 6, .shards = 2};
  options.schedule = {ScheduleKind::Cosine, 1e-2f, 3, 20, 0.1f};
  return Trainer(shape, std::move(parameters), options);
}

Batch batch(int step) {
  Random random(static_cast<std::uint64_t>(step));
  Batch batch;
  for (int i = 0; i < 12; ++i) {
    batch.tokens.push_back(random.below(12));
    batch.targets.push_back(random.below(12));
  }
  return batch;
}

std::vector<float> train(Trainer& trainer, int from, int to) {
  for (int step = from; step <= to; ++step) trainer.step(batch(step));
  const auto values = trainer.model().parameters().values();
  return {values.begin(), values.end()};
}

}  // namespace

TEST_CASE("a run continued from its checkpoint file ends with the bytes of one that never stopped") {
  const TemporaryFolder folder;
  const auto file = folder / "checkpoint.safetensors";
  Trainer whole = makeTrainer(), first = makeTrainer(), second = makeTrainer();
  const auto expected = train(whole, 1, 12);
  train(first, 1, 5);
  REQUIRE(writeCheckpoint(file, first, {{"task", "counting"}}));
  REQUIRE(readCheckpoint(file, second, {{"task", "counting"}}));
  CHECK(second.state().step == 5);
  CHECK((train(second, 6, 12) == expected));
}

TEST_CASE("a checkpoint is read as the model it is of, without the run that wrote it") {
  const TemporaryFolder folder;
  const auto file = folder / "checkpoint.safetensors";
  Trainer trainer = makeTrainer();
  const auto expected = train(trainer, 1, 3);
  REQUIRE(writeCheckpoint(file, trainer, {{"task", "counting"}}));
  auto model = readCheckpointModel(file);
  INFO((model ? "" : model.error().message()));
  REQUIRE(model);
  CHECK(model->step == 3);
  CHECK(model->config == trainer.model().config());
  CHECK(std::ranges::equal(model->parameters.values(), expected));

  // Written before shapes were, and one that says another shape than it has: refused before room is made.
  const auto with = [&](const std::string& word, const std::string& other) {
    std::string text = *readTextFile(file);
    const std::size_t at = text.find(word);
    REQUIRE(at != std::string::npos);
    REQUIRE(writeFile(folder / "other", text.replace(at, word.size(), other)));
    const auto read = readCheckpointModel(folder / "other");
    REQUIRE_FALSE(read);
    return read.error().message();
  };
  CHECK_THAT(with("\"config\":", "\"cinfog\":"), ContainsSubstring("has no shapes"));
  CHECK_THAT(with("\"step\":", "\"stop\":"), ContainsSubstring("no step number"));
  CHECK_THAT(with("\\\"n_embd\\\": 8", "\\\"n_embd\\\": 6"), ContainsSubstring("of another shape"));
}

TEST_CASE("what is no longer a number is neither kept as a checkpoint nor gone on from") {
  const TemporaryFolder folder;
  const auto file = folder / "checkpoint.safetensors";
  Trainer trainer = makeTrainer(), other = makeTrainer();
  train(trainer, 1, 2);
  REQUIRE(writeCheckpoint(file, trainer, {}));
  const auto good = *readTextFile(file);

  std::string damaged = good;
  damaged.replace(damaged.size() - 4, 4, "\xff\xff\xff\x7f");
  REQUIRE(writeFile(file, damaged));
  const Status read = readCheckpoint(file, other, {});
  REQUIRE_FALSE(read);
  CHECK_THAT(read.error().message(), ContainsSubstring("contains NaN or infinity"));
  CHECK(other.state().step == 0);

  REQUIRE(writeFile(file, good));
  trainer.model().parameters().values()[0] = std::numeric_limits<float>::quiet_NaN();
  const Status written = writeCheckpoint(file, trainer, {});
  REQUIRE_FALSE(written);
  CHECK_THAT(written.error().message(), ContainsSubstring("no longer a number at step 2"));
  CHECK(*readTextFile(file) == good);
}

TEST_CASE("a checkpoint of another run, of another shape or cut short is refused and changes nothing") {
  const TemporaryFolder folder;
  const auto file = folder / "checkpoint.safetensors";
  Trainer trainer = makeTrainer();
  train(trainer, 1, 2);
  REQUIRE(writeCheckpoint(file, trainer, {{"task", "counting"}}));

  Trainer other = makeTrainer();
  const Status recipe = readCheckpoint(file, other, {{"task", "stories"}});
  REQUIRE_FALSE(recipe);
  CHECK(recipe.error().what.find("counting") != std::string::npos);

  const Status choices = readCheckpoint(file, other, {{"task", "counting"}, {"choices", "mask=window"}});
  REQUIRE_FALSE(choices);
  CHECK(choices.error().what.find("mask=window") != std::string::npos);
  Trainer same = makeTrainer();
  CHECK(readCheckpoint(file, same, {{"task", "counting"}, {"choices", ""}}));  // it says nothing of them

  ModelConfig wide = config;
  wide.feedForward = 24;
  Trainer wider = makeTrainer(wide);
  const Status shape = readCheckpoint(file, wider);
  REQUIRE_FALSE(shape);
  CHECK(shape.error().what.find("c_fc") != std::string::npos);

  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 8);
  CHECK_FALSE(readCheckpoint(file, other));
  CHECK(other.state().step == 0);
}

TEST_CASE("a checkpoint keeps what the run has reported, and the schedule it was on") {
  const TemporaryFolder folder;
  const auto file = folder / "checkpoint.safetensors";
  Trainer trainer = makeTrainer(), next = makeTrainer();
  trainer.watchGroups(true);
  TrainingHistory history{.groups = trainer.groups().count()};
  for (int step = 1; step <= 4; ++step) history.add(trainer.step(batch(step)));
  history.heldOut.push_back({3, 2.5, 0.5});
  const Schedule dragged{ScheduleKind::Constant, 2e-3f, 1, 20};
  trainer.setSchedule(dragged);
  REQUIRE(writeCheckpoint(file, trainer, {}, &history));
  TrainingHistory read{.groups = history.groups};
  REQUIRE(readCheckpoint(file, next, {}, &read));
  CHECK((read.loss == history.loss));
  CHECK((read.groupUpdate == history.groupUpdate));
  REQUIRE(read.heldOut.size() == 1);
  CHECK(read.heldOut[0].step == 3);
  CHECK(read.heldOut[0].rightShare == 0.5);
  CHECK(next.options().schedule == dragged);

  TrainingHistory others{.groups = history.groups + 1};
  const Status refused = readCheckpoint(file, next, {}, &others);
  REQUIRE(!refused);
  CHECK(refused.error().what.find("history.group") != std::string::npos);
}
