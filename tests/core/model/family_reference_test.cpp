// Every member of the family against PyTorch: every trace point, the loss, every gradient.
// The fixtures and how they were made: tests/reference/make_family_reference.py.
#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "core/model/live_pass.h"
#include "core/train/trainer.h"
#include "tests/core/model/reference_family.h"

using namespace glassformer;

TEST_CASE("every trace point of every member of the family agrees with PyTorch") {
  for (const ReferenceMember& member : referenceFamily()) {
    LivePass live(std::make_shared<const Transformer>(member.config, member.values.weights(member.config)));
    const auto trace = live.run(member.tokens(), {}, member.source());
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
  for (const ReferenceMember& member : referenceFamily())
    for (const int shards : {1, 2}) {
      Batch batch{member.values.integers("tokens"), member.values.integers("targets"), {}, {}};
      TrainingOptions options{
          .sequences = 2, .positions = static_cast<int>(batch.tokens.size() / 2), .shards = shards};
      if (member.config.isEncoderDecoder()) {
        batch.source = member.values.integers("source");
        options.sourcePositions = static_cast<int>(batch.source.size() / 2);
        batch.sourceLengths = member.values.integers("source_lengths");
      }
      Trainer trainer(member.config, member.values.weights(member.config), options);
      AlignedVector gradients, again;
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
      trainer.gradients(batch, again);  // nothing of the step before is left in them
      CHECK(std::ranges::equal(again, gradients));
    }
}
