#include "app/engine/neuron_search.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/document/model_commands.h"
#include "app/engine/corpus.h"
#include "app/engine/open_model.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;

namespace {

Workspace lookingAtNeurons(const std::string& model) {
  Workspace workspace = initialWorkspace();
  commands::setModel(model).apply(workspace);
  workspace.view = "residual", workspace.settings.pictures["residual"] = "neurons";
  return workspace;
}

}  // namespace

TEST_CASE("the examples of a neuron are the strongest of the task's own texts, by passes of their own") {
  for (const char* model : {"draft", "sort", "translate", "letters"}) {
    INFO(model);
    const Workspace workspace = lookingAtNeurons(model);
    const auto snapshot = latestFor(workspace);
    REQUIRE(snapshot->kept.measured);
    REQUIRE(snapshot->kept.missing == "");
    const NeuronId id = shownNeuron(workspace, *snapshot);
    const ModelLibrary library(SOURCE_FOLDER "/build");
    const LoadedModel loaded = *library.load(model);
    const auto task = makeTask(loaded.origin);
    const auto texts =
        taskTexts(task.get(), *loaded.tokenizer, loaded.transformer->config(), model, 1, fewTexts);
    REQUIRE(texts);
    LivePass live(loaded.transformer);
    std::vector<float> all;
    for (const TokenText& text : *texts) {
      const auto trace = live.run(text.tokens, {}, text.source);
      const TensorView a = (*trace)[neuronPoint(loaded.transformer->config(), id.layer, id.stream)];
      float most = 0;
      for (int t = 0; t < a.extent[0]; ++t) most = std::max(most, std::abs(a(t, id.neuron)));
      all.push_back(most);
    }
    std::ranges::sort(all, std::greater<>());
    const TensorView found = (*snapshot->kept.measured)[neuronExamples::activation];
    REQUIRE(found.extent[0] == NeuronExamples::kept);
    for (int i = 0; i < found.extent[0]; ++i)
      CHECK(std::abs(std::abs(found(i)) - all[static_cast<std::size_t>(i)]) < 1e-4f);
    CHECK((*snapshot->kept.measured)[neuronExamples::searched](0) == fewTexts);
    // The weights' words are those of this neuron.
    TensorSet weights;
    measureNeuronWeights(*loaded.transformer, id, weights);
    CHECK((*snapshot->kept.measured)[neurons::reads].copy() == weights[neurons::reads].copy());
    CHECK((*snapshot->kept.measured)[neurons::writes].copy() == weights[neurons::writes].copy());
  }
}

TEST_CASE("examples are searched in every line of the tabs, once, and stay while a neuron is switched off") {
  Answering computed;
  Workspace workspace = lookingAtNeurons("stories");
  workspace.text = "The dog sang.\nThe cat was tired.\n\nThe dog sang.";
  workspace.aside = {TabText("The hen crossed the river.\nThe cat was tired.")};
  workspace.settings.choose(neuronCorpus, corpusOfTabs);
  workspace.settings.choose(neuronChoice, "7");
  const auto snapshot = computed(workspace);
  REQUIRE(snapshot->kept.measured);
  CHECK((*snapshot->kept.measured)[neuronExamples::searched](1) == 3);
  const TensorView found = (*snapshot->kept.measured)[neuronExamples::activation],
                   token = (*snapshot->kept.measured)[neuronExamples::token],
                   ids = (*snapshot->kept.measured)[neuronExamples::tokens];
  REQUIRE(found.extent[0] == 3);
  // An example that is opened is the text, at that token, and undo takes it back.
  std::vector<int> text;
  for (int t = 0; t < ids.extent[1] && std::isfinite(ids(0, t)); ++t)
    text.push_back(static_cast<int>(ids(0, t)));
  Workspace opened = workspace;
  const Command open =
      commands::openExample({snapshot->model->tokenizer->decode(text)}, static_cast<int>(token(0)), false);
  CHECK(open.undoName == "opening an example");
  open.apply(opened);
  const auto there = computed(opened);
  CHECK(there->pass->trace->tokens() == text);
  CHECK(opened.tabCount() == workspace.tabCount() + 1);
  const std::string point = neuronPoint(*there->model->config, 0, Stream::Text);
  CHECK(std::abs((*there->pass->trace)[point](opened.selection.query, 7) - found(0)) < 1e-4f);
  CHECK((*there->kept.measured)[neuronExamples::searched](1) == 3);
  // Switched off, it is 0 in the pass, and its examples stay.
  commands::toggleNeuron(point, 7).apply(opened);
  REQUIRE(opened.interventions.size() == 1);
  const auto off = computed(opened);
  for (int t = 0; t < off->pass->trace->tokenCount(); ++t) CHECK((*off->pass->trace)[point](t, 7) == 0);
  CHECK((*off->kept.measured)[neuronExamples::activation].copy() == found.copy());
  commands::toggleNeuron(point, 7).apply(opened);
  CHECK(opened.interventions.empty());
}

TEST_CASE("what a model cannot read of a corpus is said") {
  const auto none =
      taskTexts(nullptr, *ModelLibrary(SOURCE_FOLDER "/build").load("sort")->tokenizer, {}, "mine", 1, 3);
  REQUIRE_FALSE(none);
  CHECK(none.error().message().find("mine: names no training task") == 0);
  using Lines = std::vector<TabText>;
  CHECK(linesOf({TabText("a\nb", "x\n\ny")}, true) == Lines{{"a", "x"}, {"", "y"}});
  CHECK(linesOf({TabText("a\n\nb"), TabText("a\nc")}, false) == Lines{"a", "b", "c"});
}
