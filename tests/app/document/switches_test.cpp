#include "app/document/switches.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <set>
#include <string>

#include "app/document/history.h"
#include "app/document/intervention_list.h"
#include "app/document/model_commands.h"
#include "app/document/workspace_json.h"
#include "tests/app/views/view_cases.h"

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
  CHECK(summaryOf(zeroAblation({ModelPart::Kind::Head, 2, 0})) == "head L2H0 off");
  CHECK(summaryOf(zeroAblation({ModelPart::Kind::Attention, 11, 0})) == "attention of block 11 off");
  CHECK(summaryOf(zeroAblation({ModelPart::Kind::Mlp, 3, 0})) == "MLP of block 3 off");
  CHECK(summaryOf(zeroAblation({ModelPart::Kind::Recurrence, 1, 0})) == "recurrence of block 1 off");
  CHECK(summaryOf(zeroAblation({ModelPart::Kind::Convolution, 0, 0})) == "convolution of block 0 off");
  CHECK(summaryOf({.point = "blocks.1.attn.hook_z", .kind = InterventionKind::Scale, .value = 0.5f}) ==
        "L1 z × 0.5");
  CHECK(summaryOf({.point = "hook_embed"}) == "embed off");
  Intervention taken{.point = "blocks.1.hook_resid_pre",
                     .kind = InterventionKind::Replace,
                     .index = {5, -1, -1, -1},
                     .tensor = std::make_shared<const Tensor>(std::initializer_list<int>{6, 2})};
  CHECK(summaryOf(taken) == "L1 resid_pre [5] = a tensor");
  taken.origin = "token 3 ·animal";
  CHECK(summaryOf(taken) == "L1 resid_pre [5] = token 3 ·animal");
  CHECK(summaryOf({"blocks.2.attn.hook_pattern", InterventionKind::Replace, {3, -1, 4, -1}, 1}) ==
        "L2 pattern [3, ·, 4] = 1");
  CHECK(summaryOf({"blocks.2.hook_mlp_out", InterventionKind::Scale, {-1, -1, -1, -1}, -1}) ==
        "MLP of block 2 × -1");
  const ModelPart across{ModelPart::Kind::Head, 1, 2, AttentionSite::Cross};
  CHECK(summaryOf(zeroAblation(across)) == "head cross.L1H2 off");
}

TEST_CASE("every kind of intervention says what it is and where its number may stand") {
  std::set<std::string> ids;
  for (const InterventionDescription& kind : interventionKinds()) {
    CHECK(ids.insert(kind.id).second);
    CHECK_FALSE(std::string(kind.meaning).empty());
    if (kind.takesNumber)
      CHECK((kind.least < kind.most && kind.usual >= kind.least && kind.usual <= kind.most));
  }
  CHECK(std::string(described(InterventionKind::Zero).id) == "zero");
  CHECK(std::string(described(InterventionKind::Scale).id) == "scale");
  CHECK(std::string(described(InterventionKind::Add).id) == "add");
  CHECK(std::string(described(InterventionKind::Replace).id) == "replace");
  CHECK(std::string(described(InterventionKind::Argmax).id) == "argmax");
}

TEST_CASE("a head is argmaxed and back, beside being off, and the session keeps it") {
  History history(initialWorkspace());
  const HeadId head{1, 2};
  history.apply(commands::togglePart({ModelPart::Kind::Head, 1, 2}), 0);
  history.apply(commands::toggleArgmax(head), 1);
  CHECK(isHard(history.current().interventions, head));
  CHECK_FALSE(isHard(history.current().interventions, {1, 3}));
  CHECK(summaryOf(history.current().interventions[1]) == "head L1H2 argmax");
  CHECK_FALSE(partSwitchedOffBy(history.current().interventions[1]));
  const auto back = workspaceFromJson(toJson(history.current()));
  REQUIRE(back);
  CHECK(back->interventions == history.current().interventions);
  history.apply(commands::toggleArgmax(head), 2);
  CHECK(history.current().interventions == Interventions{zeroAblation({ModelPart::Kind::Head, 1, 2})});
  history.undo();
  CHECK(isHard(history.current().interventions, head));
}

TEST_CASE("an intervention is changed where it stands in the list, and one gesture is undone at once") {
  History history(initialWorkspace());
  history.apply(commands::togglePart({ModelPart::Kind::Head, 1, 2}), 0);
  Intervention gain = history.current().interventions[0];
  gain.kind = InterventionKind::Scale;
  for (const float value : {0.9f, 0.5f, 0.25f}) {
    gain.value = value;
    history.apply(commands::changeIntervention(0, gain, "drag 1"), 1);
  }
  CHECK(history.current().interventions == Interventions{gain});
  history.apply(commands::changeIntervention(7, gain), 2);
  CHECK(history.current().interventions.size() == 1);
  while (history.current().interventions == Interventions{gain}) history.undo();
  CHECK(history.current().interventions == Interventions{zeroAblation({ModelPart::Kind::Head, 1, 2})});
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
  const TensorView z = (*snapshot->pass->trace)["blocks.1.attn.hook_z"];
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
    if (config.hasAttention()) continue;
    std::vector<std::string> names;
    for (const ModelPart& part : wholeParts(config)) names.push_back(nameOf(part));
    const std::string mixing = config.mixing == Mixing::Recurrence ? "recurrence" : "convolution";
    std::vector<std::string> expected;
    for (const char* block : {"block 0", "block 1"}) {
      expected.push_back(mixing + " of " + block);
      if (config.hasFeedForward()) expected.push_back(std::string("MLP of ") + block);
    }
    CHECK(names == expected);
    CHECK(model.transformer->config().layers == 2);
    LivePass live(model.transformer, 1);
    const auto parts = wholeParts(config);
    const auto trace = live.run(std::vector{1, 2, 3}, {zeroAblation(parts[parts.size() / 2])});
    const TensorView out = (*trace)[blockPoint(config, 1, mixedOut(config.mixing))];
    for (const float value : out.copy()) CHECK(value == 0);
  }
}
