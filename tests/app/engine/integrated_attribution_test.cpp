#include "app/engine/integrated_attribution.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/document/attribution_settings.h"
#include "app/document/model_commands.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;

namespace {

Workspace attributing(const std::string& model) {
  Workspace workspace = initialWorkspace();
  commands::setModel(model).apply(workspace);
  workspace.view = "influence", workspace.settings.pictures["influence"] = "integrated";
  return workspace;
}

float sumOf(const Snapshot& snapshot) {
  double sum = 0;
  for (const char* tokens : {integrated::tokens, integrated::source})
    if (snapshot.kept.measured->contains(tokens))
      for (const float value : (*snapshot.kept.measured)[tokens].copy()) sum += value;
  return static_cast<float>(sum);
}

}  // namespace

// Rounding grows with what is summed: at most 3.6e-5 of it on any level of processors.
TEST_CASE("the tokens' attributions sum to the exact difference on every model that ships", "[accuracy]") {
  const ModelLibrary library(SOURCE_FOLDER "/build");
  CHECK(library.builtIn().size() >= 13);
  for (const ModelLibrary::Entry& model : library.builtIn())
    for (const char* baseline : {"", meanBaseline, "2"})
      for (const char* against : {"", "3"}) {
        if (*against && *baseline) continue;
        Workspace workspace = attributing(model.name);
        workspace.settings.choose(baselineChoice, baseline);
        workspace.settings.choose(againstChoice, against);
        workspace.settings.choose(gradientsChoice, "4096");
        const auto snapshot = latestFor(workspace);
        INFO(model.name << ", baseline " << baseline << ", against " << against);
        REQUIRE(snapshot->standing.error == "");
        REQUIRE(snapshot->kept.measured);
        const TensorView total = (*snapshot->kept.measured)[integrated::total];
        const auto [t, v] = snapshot->pass->predicted;
        const TensorView logits = (*snapshot->pass->trace)["logits"];
        const int other = chosenAgainst(workspace.settings, v, snapshot->model->config->vocabulary);
        const float difference = total(integrated::atInput) - total(integrated::atBaseline),
                    rounding = 1.2e-4f * std::max(1.f, std::abs(difference));
        CHECK(std::abs(total(integrated::atInput) - (logits(t, v) - (other < 0 ? 0 : logits(t, other)))) <
              1e-3f);
        CHECK(std::abs(sumOf(*snapshot) - difference) < rounding);
        CHECK(std::abs(total(integrated::error)) < rounding);
        CHECK(total(integrated::steps) <= 4096);
      }
}

TEST_CASE("attributions follow text, baseline and interventions, and stand for both texts side by side") {
  Answering answering;
  const auto computed = [&](const Workspace& workspace) {
    const auto snapshot = answering(workspace);
    REQUIRE(snapshot->kept.measured);
    return snapshot;
  };
  Workspace workspace = attributing("stories");
  const auto first = computed(workspace);
  const std::vector<float> before = (*first->kept.measured)[integrated::tokens].copy();
  workspace.settings.choose(baselineChoice, meanBaseline);
  CHECK((*computed(workspace)->kept.measured)[integrated::tokens].copy() != before);
  workspace.settings.choose(baselineChoice, "");
  CHECK((*computed(workspace)->kept.measured)[integrated::tokens].copy() == before);
  workspace.interventions = {{"blocks.0.hook_mlp_out"}};
  CHECK((*computed(workspace)->kept.measured)[integrated::tokens].copy() != before);
  workspace.comparison.with = Comparison::withoutInterventions;
  const auto compared = computed(workspace);
  REQUIRE(compared->other->kept.measured);
  // The logit asked about is the open side's; without interventions it may not be the answer.
  const TensorView total = (*compared->other->kept.measured)[integrated::total];
  const auto [t, v] = compared->other->pass->predicted;
  CHECK(std::abs(total(integrated::atInput) - (*compared->other->pass->trace)["logits"](t, v)) < 1e-3f);
  workspace.interventions.clear(), workspace.comparison.with = Comparison::off;
  workspace.text += " The";
  CHECK((*computed(workspace)->kept.measured)[integrated::tokens].extent[0] ==
        static_cast<int>(before.size()) + 1);
}

TEST_CASE("the difference of two texts' attributions is that of every token that both have") {
  Workspace workspace = attributing("stories");
  workspace.text = "The dog was too tired. The", workspace.aside = {TabText("The dog was very old. The")};
  workspace.tab = 0;
  workspace.settings.choose(gradientsChoice, "16");
  workspace.comparison = {OtherText{1}, ComparisonMode::Difference};
  const auto snapshot = latestFor(workspace);
  REQUIRE(snapshot->difference);
  REQUIRE(snapshot->difference->kept.measured);
  const TensorSet &here = *snapshot->kept.measured, &there = *snapshot->other->kept.measured,
                  &difference = *snapshot->difference->kept.measured;
  const auto& columns = snapshot->difference->sides->alignments.text.columns;
  REQUIRE(difference[integrated::tokens].extent[0] == static_cast<int>(columns.size()));
  int both = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const float found = difference[integrated::tokens](static_cast<int>(i));
    const auto [a, b] = std::pair(columns[i].a, columns[i].b);
    if (a < 0 || b < 0) {
      CHECK(std::isnan(found));
      continue;
    }
    CHECK(found == here[integrated::tokens](a) - there[integrated::tokens](b));
    ++both;
  }
  CHECK(both >= 4);
  CHECK(difference[integrated::total](integrated::atInput) ==
        here[integrated::total](integrated::atInput) - there[integrated::total](integrated::atInput));
  CHECK_FALSE(difference.contains(integrated::path));
}
