#include "app/document/switches.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/document/history.h"
#include "tests/app/scene/view_cases.h"

using namespace glassformer;

TEST_CASE("a part is switched off and on again") {
  Workspace w = initialWorkspace();
  const ModelPart head{ModelPart::Kind::Head, 2, 1}, mlp{ModelPart::Kind::Mlp, 0, 0};
  commands::togglePart(head).apply(w);
  commands::togglePart(mlp).apply(w);
  CHECK(isOff(w.interventions, head));
  CHECK(isOff(w.interventions, mlp));
  CHECK_FALSE(isOff(w.interventions, {ModelPart::Kind::Head, 2, 0}));
  commands::togglePart(head).apply(w);
  CHECK_FALSE(isOff(w.interventions, head));
  commands::removeIntervention(0).apply(w);
  CHECK(w.interventions.empty());
  commands::removeIntervention(0).apply(w);
  CHECK(w.interventions.empty());
}

TEST_CASE("what was switched off says so") {
  CHECK(summaryOf(switchedOff({ModelPart::Kind::Head, 2, 0})) == "head L2H0 off");
  CHECK(summaryOf(switchedOff({ModelPart::Kind::Attention, 11, 0})) == "attention of block 11 off");
  CHECK(summaryOf(switchedOff({ModelPart::Kind::Mlp, 3, 0})) == "MLP of block 3 off");
  CHECK(summaryOf(switchedOff({ModelPart::Kind::Recurrence, 1, 0})) == "recurrence of block 1 off");
  CHECK(summaryOf(switchedOff({ModelPart::Kind::Convolution, 0, 0})) == "convolution of block 0 off");
  CHECK(summaryOf({.point = "blocks.1.attn.hook_z", .kind = InterventionKind::Scale, .value = 0.5f}) ==
        "blocks.1.attn.hook_z × 0.5");
  CHECK(summaryOf({.point = "hook_embed"}) == "hook_embed = 0");
}

TEST_CASE("what is off in one model is not off in the next, and undo switches it off again") {
  History history(initialWorkspace());
  history.apply(commands::togglePart({ModelPart::Kind::Head, 1, 2}), 0);
  const Interventions off = history.current().interventions;
  REQUIRE(off.size() == 1);
  history.apply(commands::setModel("sort"), 1);
  CHECK(history.current().interventions.empty());
  history.undo();
  CHECK(history.current().interventions == off);
}

TEST_CASE("a head that is off adds nothing but the bias, the others go on") {
  Workspace w = initialWorkspace();
  commands::togglePart({ModelPart::Kind::Head, 1, 2}).apply(w);
  const auto snapshot = snapshotOf(w);
  const TensorView z = (*snapshot->trace)["blocks.1.attn.hook_z"];
  for (int t = 0; t < z.extent[0]; ++t)
    for (int k = 0; k < z.extent[2]; ++k) {
      CHECK(z(t, 2, k) == 0);
      CHECK(std::abs(z(t, 1, k)) > 0);
    }
}

TEST_CASE("what stands in attention's place is a part like any other") {
  for (const FamilyMember& member : familyMembers()) {
    const auto model = member.model();
    const ModelConfig& config = model.transformer->config();
    if (config.attends()) continue;
    std::vector<std::string> names;
    for (const ModelPart& part : wholeParts(config)) names.push_back(nameOf(part));
    const std::string mixing = config.mixing == Mixing::Recurrence ? "recurrence" : "convolution";
    CHECK(names == std::vector<std::string>{mixing + " of block 0", "MLP of block 0", mixing + " of block 1",
                                            "MLP of block 1"});
    CHECK(model.transformer->config().layers == 2);
    LivePass live(model.transformer, 1);
    const auto trace = live.run(std::vector{1, 2, 3}, {switchedOff(wholeParts(config)[2])});
    const TensorView out = (*trace)[blockPoint(config, 1, mixedOut(config.mixing))];
    for (const float value : out.copy()) CHECK(value == 0);
  }
}
