// Experiments as the pictures show them, against PyTorch (tests/reference/make_experiment_reference.py).
#include "app/document/attribution_settings.h"
#include "app/document/leave_out_settings.h"
#include "app/document/metric_settings.h"
#include "app/document/tabs.h"
#include "app/document/view_commands.h"
#include "app/engine/ablation_map.h"
#include "app/engine/integrated_attribution.h"
#include "app/engine/patch_map.h"
#include "core/lens/contributions.h"
#include "tests/app/engine/latest_for.h"
#include "tests/core/model/reference_values.h"

using namespace glassformer;

namespace {

const std::string tiredText =
                      "The animal didn't cross the street because it was too tired. What was too tired? The",
                  wideText =
                      "The animal didn't cross the street because it was too wide. What was too wide? The";

// Both are float64 and float32 passes of the same model.
constexpr double tolerance = 2e-4;

struct Experiment {
  ReferenceValues theirs{"experiments_stories.safetensors"};
  Workspace workspace = initialWorkspace();

  Experiment(const char* view, const char* picture) {
    setTabs(workspace, {TabText(tiredText), TabText(wideText)}, 0);
    commands::choosePicture(view, picture).apply(workspace);
  }
  std::shared_ptr<const Snapshot> snapshot() const {
    auto latest = latestFor(workspace);
    CHECK(latest->pass->trace->tokens() == theirs.integers("text"));
    CHECK(latest->pass->predicted.entry == theirs.integers("answers")[0]);
    return latest;
  }
  // One metric of six, of every part.
  std::vector<float> ablation(const char* kind, std::size_t metric) const {
    const auto all = theirs.values(std::string("ablation.") + kind);
    std::vector<float> one;
    for (std::size_t i = metric; i < all.size(); i += causal::numbers.size()) one.push_back(all[i]);
    return one;
  }
};

}  // namespace

TEST_CASE("zero and mean ablation move every metric as in PyTorch") {
  Experiment experiment("influence", "leave out");
  for (const bool isMean : {false, true}) {
    experiment.workspace.settings.choose(leftOutReplaced, isMean ? leftOutReplacedByMean : "");
    const auto snapshot = experiment.snapshot();
    REQUIRE(snapshot->kept.measured);
    for (std::size_t metric = 0; metric < causal::numbers.size(); ++metric) {
      INFO(causal::numbers[metric].tensor << (isMean ? ", mean" : ", zero"));
      CHECK(worst((*snapshot->kept.measured)[causal::numbers[metric].tensor].copy(),
                  experiment.ablation(isMean ? "mean" : "zero", metric)) < tolerance);
    }
  }
  commands::chooseMetric("difference").apply(experiment.workspace);
  experiment.workspace.settings.choose(leftOutReplaced, "");
  experiment.workspace.settings.choose(againstChoice,
                                       std::to_string(experiment.theirs.integers("answers")[1]));
  CHECK(worst((*experiment.snapshot()->kept.measured)[causal::logit].copy(),
              experiment.theirs.values("ablation.difference")) < tolerance);
}

TEST_CASE("patching every place of every kind moves the logit difference as in PyTorch") {
  Experiment experiment("influence", "patch");
  experiment.workspace.comparison.with = OtherText{1};
  for (const PatchKind& kind : patchKinds) {
    INFO(kind.id);
    experiment.workspace.settings.choices[patchChoice] = kind.id;
    const auto snapshot = experiment.snapshot();
    REQUIRE(snapshot->kept.measured);
    const TensorSet& measured = *snapshot->kept.measured;
    CHECK(static_cast<int>(measured[patching::other](0)) == experiment.theirs.integers("answers")[1]);
    CHECK(worst(measured[patching::change].copy(),
                experiment.theirs.values(std::string("patch.") + kind.id)) < tolerance);
    // The stream in front of the first block, at the last token, is the same in both: nothing is restored.
    if (std::string_view(kind.id) == "stream") CHECK(measured[patching::share](0, 18) == 0);
  }
}

TEST_CASE("integrated gradients are PyTorch's along a far finer path") {
  Experiment experiment("influence", "integrated");
  experiment.workspace.settings.choose(gradientsChoice, std::to_string(manyGradients));
  const auto snapshot = experiment.snapshot();
  REQUIRE(snapshot->kept.measured);
  CHECK(worst((*snapshot->kept.measured)[integrated::tokens].copy(), experiment.theirs.values("integrated")) <
        1e-3);
}

TEST_CASE("direct logit attribution, raw and centered, and the logit lens are PyTorch's") {
  Experiment experiment("residual", "contributions");
  const auto attributed = [&](ContributionTo to, LogitBase base) {
    experiment.workspace.settings.residual.to = to;
    const auto snapshot = experiment.snapshot();
    const int entry = snapshot->pass->predicted.entry;
    return (*snapshot->pass->measurements)[logitAttributionOf(entry, base)][18].copy();
  };
  CHECK(worst(attributed(ContributionTo::Logit, LogitBase::Raw), experiment.theirs.values("direct.raw")) <
        tolerance);
  CHECK(worst(attributed(ContributionTo::CentredLogit, LogitBase::Centred),
              experiment.theirs.values("direct.centered")) < tolerance);

  commands::choosePicture("next_token", "distribution").apply(experiment.workspace);
  const auto snapshot = experiment.snapshot();
  const TensorView lens = (*snapshot->pass->measurements)["lens.next_token"];
  std::vector<float> logs;
  for (int place = 0; place < lens.extent[0]; ++place)
    logs.push_back(std::log(lens(place, snapshot->pass->predicted.entry)));
  CHECK(worst(logs, experiment.theirs.values("lens")) < tolerance);
}
