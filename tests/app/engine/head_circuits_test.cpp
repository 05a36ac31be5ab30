#include "app/engine/head_circuits.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "app/document/neuron_settings.h"
#include "app/document/selection_commands.h"
#include "app/document/view_commands.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;

namespace {

Workspace askingCircuits() {
  Workspace workspace = initialWorkspace();
  workspace.text = "The dog was too tired. The";
  workspace.aside.clear(), workspace.tab = 0;
  workspace.settings.choose(neuronCorpus, corpusOfTabs);
  workspace.selection.layer = 2, workspace.selection.head = 0;
  commands::choosePicture("attention", "circuits").apply(workspace);
  return workspace;
}

}  // namespace

TEST_CASE("a head's circuits are told among the tokens of the texts that are searched") {
  const Workspace workspace = askingCircuits();
  const auto snapshot = latestFor(workspace);
  REQUIRE(snapshot->kept.measured);
  const TensorSet& told = *snapshot->kept.measured;
  std::vector<int> tokens = snapshot->pass->trace->tokens();
  std::ranges::sort(tokens);
  tokens.erase(std::ranges::unique(tokens).begin(), tokens.end());
  CHECK(told[circuit::asked](0) == static_cast<float>(tokens.size()));
  TensorSet measured;
  measureHeadCircuits(*snapshot->model->transformer, {2, 0}, tokens, measured);
  for (int i = 0; i < measured.count(); ++i) {
    const std::string& name = measured.point(i).name;
    INFO(name);
    if (name != circuit::byQueries && name != circuit::byKeys &&
        name != circuit::byValues)  // NaN in its block
      CHECK(told[name].copy() == measured.tensor(i).copy());
  }
  CHECK(told[circuit::byKeys](1, 2) == measured[circuit::byKeys](1, 2));
}

TEST_CASE("the circuits of an encoder's head are told among the tokens of the sources") {
  Workspace workspace = askingCircuits();
  workspace.model = "translate", workspace.source = "The dog was too tired.", workspace.text = "Der Hund";
  commands::selectHead({1, 0, AttentionSite::Encoder}).apply(workspace);
  const auto snapshot = latestFor(workspace);
  REQUIRE(snapshot->kept.measured);
  const TensorSet& told = *snapshot->kept.measured;
  const std::vector<int>& source = snapshot->pass->trace->source();
  CHECK(told[circuit::asked](0) == static_cast<float>(std::set(source.begin(), source.end()).size()));
  CHECK(std::ranges::find(source, static_cast<int>(told[circuit::query](0))) != source.end());
  CHECK(told.contains(circuit::byKeys));
  CHECK_FALSE(told.contains(circuit::promotion));
}

TEST_CASE("the biography of a head tells its circuits too, and where there are none says why") {
  Workspace workspace = askingCircuits();
  const auto circuits = latestFor(workspace);
  commands::choosePicture("attention", "biography").apply(workspace);
  const auto page = latestFor(workspace);
  REQUIRE(page->kept.measured);
  CHECK((*page->kept.measured)[circuit::promotion].copy() ==
        (*circuits->kept.measured)[circuit::promotion].copy());
  commands::choosePicture("attention", "circuits").apply(workspace);
  workspace.changes = {{"residual", "no"}};
  CHECK(latestFor(workspace)->kept.missing.starts_with("without residual connections a head reads"));
}
