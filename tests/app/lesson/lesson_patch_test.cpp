#include "app/lesson/lesson_patch.h"

#include <catch2/catch_test_macros.hpp>

#include "app/document/switches.h"
#include "app/lesson/lesson_file.h"
#include "app/lesson/lesson_keeping.h"
#include "app/lesson/lesson_walk.h"
#include "core/decode/sampling.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;

namespace {

Workspace patched(const std::string& json, Workspace w = initialWorkspace()) {
  INFO(json);
  const Status applied = applyLessonPatch(w, json);
  if (!applied) FAIL(applied.error().message());
  return w;
}

// Much that a lesson can say, away from what a start has.
Workspace elsewhere() {
  Workspace w = initialWorkspace();
  w.model = "positions/rotary";
  w.text = "qmbxz \"quoted\"\n: # - &";
  w.view = "next_token";
  w.settings.pictures["next_token"] = "sampling";
  w.step = "blocks.1.attn.hook_q";
  w.selection.layer = 1, w.selection.head = 3, w.selection.query = 2, w.selection.key = 0;
  w.changes = {{"norm", "none"}, {"n_layer", "3"}};
  w.interventions = {zeroAblation({ModelPart::Kind::Head, 1, 2}), zeroAblation({ModelPart::Kind::Mlp, 0})};
  w.decoding.strategy = DecodingStrategy::Sampling;
  w.decoding.depth = 9, w.decoding.seed = 7, w.decoding.lengthPenalty = 0.5f;
  w.settings.attention.leastPercent = 30;
  w.settings.training.at = 120;
  w.settings.choose("step.temperature", "2");
  w.decoding.stages.set(*findSamplingStage("top-k"), 3);
  w.decoding.constraint = {"a|b", w.text, {5}};
  return w;
}

}  // namespace

TEST_CASE("a patch changes what it names, and leaves the rest") {
  const Workspace before = elsewhere();
  CHECK(patched("{}", before) == before);
  const Workspace moved =
      patched(R"({"view": "residual", "picture": "cosine", "head": "cross.0.1"})", before);
  CHECK(moved.view == "residual");
  CHECK(moved.settings.pictures.at("residual") == "cosine");
  CHECK(moved.settings.pictures.at("next_token") == "sampling");
  CHECK(moved.selection.site == AttentionSite::Cross);
  CHECK(moved.selection.head == 1);
  CHECK(moved.text == before.text);
  CHECK(moved.interventions == before.interventions);
}

TEST_CASE("what has to match begins behind the text of the step, and is checked") {
  const Workspace constrained = patched(R"json({"match": "(old|tired)", "text": "The dog was"})json");
  CHECK(constrained.decoding.constraint.pattern == "(old|tired)");
  CHECK(constrained.decoding.constraint.behind == "The dog was");
  CHECK(patched(R"({"match": ""})", constrained).decoding.constraint.pattern.empty());
  Workspace unchanged = initialWorkspace();
  const Status refused = applyLessonPatch(unchanged, R"({"match": "(old"})");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message().find("is not a regular expression") != std::string::npos);
}

TEST_CASE("another model begins without the changes of the old one, another text with its last token") {
  const Workspace other = patched(R"({"model": "sort", "text": "dacb>"})", elsewhere());
  CHECK(other.changes.empty());
  CHECK(other.interventions.empty());
  CHECK(other.selection.query == -1);
  CHECK(patched(R"({"text": "dacb>", "query": 1})", elsewhere()).selection.query == 1);
}

TEST_CASE("inside the source, query and key are places of the source; across, the key is") {
  const Workspace inside =
      patched(R"({"source": "The dog sleeps.", "head": "enc.1.2", "query": 2, "key": 1})");
  CHECK(inside.selection.source == 2);
  CHECK(inside.selection.sourceKey == 1);
  CHECK(inside.selection.query == -1);
  CHECK(patched(R"({"source": "The cat sleeps."})", inside).selection.source == -1);
  const Workspace across = patched(R"({"head": "cross.1.2", "query": 3, "key": 4})", inside);
  CHECK(across.selection.query == 3);
  CHECK(across.selection.source == 4);
  Workspace chosen = inside;
  chosen.selection.source = 0, chosen.selection.sourceKey = 2;
  CHECK(lessonPatchBetween(inside, chosen) == "query: 0\nkey: 2\n");
}

TEST_CASE("parts are found by their names, whatever model has them") {
  for (const ModelPart& part : {ModelPart{ModelPart::Kind::Head, 2, 13}, ModelPart{ModelPart::Kind::Mlp, 100},
                                ModelPart{ModelPart::Kind::Attention, 1, 0, AttentionSite::Cross},
                                ModelPart{ModelPart::Kind::Head, 3, 0, AttentionSite::Encoder},
                                ModelPart{ModelPart::Kind::Recurrence, 0}}) {
    INFO(nameOf(part));
    CHECK(partNamed(nameOf(part)) == part);
  }
  CHECK(partNamed("cross.L1H2") == ModelPart{ModelPart::Kind::Head, 1, 2, AttentionSite::Cross});
  for (const char* none : {"", "L2", "L2X3", "MLP", "L2H3H4", "L99999999999H1", "attention of block 1x"})
    CHECK_FALSE(partNamed(none));
}

TEST_CASE("texts are compared by being written down") {
  const Workspace two = patched(R"({"text": "The dog", "compare": "The cat", "difference": true})");
  CHECK(two.comparison.otherTab() == 1);
  CHECK(two.textOfTab(1) == "The cat");
  CHECK(two.comparison.mode == ComparisonMode::Difference);
  CHECK(patched(R"({"compare": "off"})", two).comparison.with == Comparison::off);
  CHECK(patched(R"({"compare": "as loaded"})").comparison.with == Comparison::asLoaded);
  const Workspace beside = patched(R"({"compare": {"trace": "./mine.npz"}})");
  CHECK(beside.comparison.with == Comparison::recordedTrace);
  CHECK(beside.recordedTrace == "./mine.npz");
  CHECK(lessonPatchBetween(initialWorkspace(), beside).find(R"(compare: {"trace":"./mine.npz"})") !=
        std::string::npos);
}

TEST_CASE("a state that is kept as a step is that state when the lesson is read again") {
  const TemporaryFolder folder;
  const auto file = folder / "own.md";
  const Workspace first = elsewhere();
  REQUIRE(keepAsStep(file, first));
  Workspace second = first;
  second.interventions = {heldAt("blocks.0.hook_resid_pre", std::vector{1, 2}, 0.5f)};
  second.changes = {{"norm", "none"}};
  second.view = "attention";
  second.text = "qmbxzqmb";
  REQUIRE(keepAsStep(file, second));
  const auto lesson = readLessonFile(file);
  if (!lesson) FAIL(lesson.error().message());
  REQUIRE(lesson->stepCount() == 2);
  for (const auto& [i, kept] : {std::pair{0, first}, std::pair{1, second}}) {
    INFO(i);
    const auto shown = workspaceAt(*lesson, i, kept);
    REQUIRE(shown);
    CHECK(shown->model == kept.model);
    CHECK(shown->text == kept.text);
    CHECK(shown->changes == kept.changes);
    CHECK(shown->interventions == kept.interventions);
    CHECK(shown->decoding == kept.decoding);
    CHECK(shown->view == kept.view);
    CHECK(shown->settings == kept.settings);
    CHECK(shown->step == kept.step);
    CHECK(shown->selection == kept.selection);
  }
  CHECK_FALSE(keepAsStep(folder / "nowhere" / "own.md", first));
}
