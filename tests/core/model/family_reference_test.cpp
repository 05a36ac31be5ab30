// Every member of the family against PyTorch: every trace point, the loss, every gradient.
// The fixtures and how they were made: tests/reference/make_family_reference.py.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "core/io/config_file.h"
#include "core/model/live_pass.h"
#include "core/train/trainer.h"
#include "tests/core/model/reference_values.h"

using namespace glassformer;

namespace {

struct Member {
  std::string file;
  ReferenceValues values;
  ModelConfig config;
};

std::vector<Member> family() {
  std::vector<Member> members;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(SOURCE_FOLDER) + "/tests/reference")) {
    const std::string file = entry.path().filename().string();
    if (!file.starts_with("family_") || !file.ends_with(".safetensors")) continue;
    ReferenceValues values(file);
    const auto config = parseModelConfig(values.stored().metadata().at("config"), file);
    INFO(file << ": " << (config ? "" : config.error().message()));
    REQUIRE(config);
    members.push_back({file, std::move(values), *config});
  }
  REQUIRE(members.size() >= 26);
  return members;
}

}  // namespace

TEST_CASE("every trace point of every member of the family agrees with PyTorch") {
  for (const Member& member : family()) {
    LivePass live(std::make_shared<const Transformer>(member.config, member.values.weights(member.config)));
    auto tokens = member.values.integers("tokens");
    tokens.resize(tokens.size() / 2);  // the first of two sequences
    std::vector<int> source;
    if (member.config.reads()) source = member.values.integers("source");
    source.resize(source.size() / 2);
    const auto trace = live.run(tokens, {}, source);
    int compared = 0;
    for (int i = 0; i < trace->count(); ++i) {
      INFO(member.file << ": " << trace->point(i).name);
      CHECK(worst(trace->tensor(i).copy(), member.values.values("trace." + trace->point(i).name)) < 1e-4);
      ++compared;
    }
    int traced = 0;
    for (const StoredTensor& tensor : member.values.stored().tensors())
      traced += tensor.name.starts_with("trace.");
    INFO(member.file);
    CHECK(compared == traced);
  }
}

TEST_CASE("the loss and every gradient of every member of the family agree with PyTorch") {
  for (const Member& member : family())
    for (const int shards : {1, 2}) {
      Batch batch{member.values.integers("tokens"), member.values.integers("targets"), {}, {}};
      TrainingOptions options{
          .sequences = 2, .positions = static_cast<int>(batch.tokens.size() / 2), .shards = shards};
      if (member.config.reads()) {
        batch.source = member.values.integers("source");
        options.sourcePositions = static_cast<int>(batch.source.size() / 2);
        batch.sourceLengths = member.values.integers("source_lengths");
      }
      Trainer trainer(member.config, member.values.weights(member.config), options);
      AlignedVector gradients;
      INFO(member.file << ", " << shards << " shards");
      CHECK(trainer.gradients(batch, gradients) ==
            Catch::Approx(member.values.values("loss")[0]).epsilon(1e-5));
      const Parameters& parameters = trainer.model().parameters();
      for (int i = 0; i < parameters.count(); ++i) {
        INFO(parameters.spec(i).name);
        const auto begin = gradients.begin() + static_cast<std::ptrdiff_t>(parameters.offset(i));
        CHECK(worst({begin, begin + parameters.view(i).size()},
                    member.values.values("gradients." + parameters.spec(i).name)) < 1e-4);
      }
    }
}
