#include "app/engine/question.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "app/document/edge_settings.h"
#include "app/document/metric_settings.h"
#include "app/document/neuron_settings.h"
#include "app/document/switches.h"
#include "app/document/view_commands.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;

namespace {

Workspace asking(const char* view, const char* picture) {
  Workspace workspace = initialWorkspace();
  workspace.text = "The animal didn't cross the street because it was too tired. What was too tired? The";
  commands::choosePicture(view, picture).apply(workspace);
  return workspace;
}

Question questionOf(const Workspace& workspace) {
  return questionOf(workspace, *latestFor(workspace), neededFor(workspace));
}

}  // namespace

TEST_CASE("the question of an ablation names position, token, answer, contrast, metric and norms") {
  Workspace workspace = asking("influence", "leave out");
  Question question = questionOf(workspace);
  CHECK((question.model == "stories" && question.text == workspace.text));
  CHECK((question.position == 18 && question.token == "·The" && question.answer == " animal"));
  CHECK(
      (question.metric == "logit" && question.equation == "z without − z" && question.norms == "recomputed"));
  CHECK((question.contrast.empty() && question.dataset.empty() && question.positions.empty()));
  CHECK(questionSentence(question) == "Asked: logit of “ animal”, at token 18 “·The”; norms recomputed.");

  commands::chooseMetric("difference").apply(workspace);
  question = questionOf(workspace);
  CHECK((question.metric == "difference" && question.contrast == " horse"));
  commands::chooseMetric("loss").apply(workspace);
  workspace.settings.choose(countedPositions, lastPosition);
  question = questionOf(workspace);
  CHECK((question.metric == "loss" && question.positions == "the last token" && question.answer.empty()));
}

TEST_CASE("the question of many texts names how many, of what, and from which seed") {
  Workspace workspace = asking("influence", "edges");
  CHECK(questionOf(workspace).norms == "frozen");
  CHECK(datasetWords(workspace.settings) == "200 held-out texts of the task, seed 1");
  workspace.settings.choose(neuronCorpus, corpusOfRepeats);
  CHECK(datasetWords(workspace.settings) == "200 repeats of random tokens, seed 1");
  workspace.settings.choose(neuronCorpus, corpusOfTabs);
  CHECK(datasetWords(workspace.settings) == "the lines of the open tabs");
}

TEST_CASE("a question stands on one line each above a table, and as an object in JSON") {
  Question question;
  question.model = "stories", question.text = "two\nlines", question.position = 3;
  question.interventions = {"head L0H1 off", "head L2H0 off"};
  CHECK(questionComments(question) ==
        "# model: stories\n# text: two lines\n# position: 3\n# intervention: head L0H1 off\n"
        "# intervention: head L2H0 off\n");
  const auto json = questionJson(question);
  CHECK(json["position"] == 3);
  CHECK(json["interventions"].size() == 2);
  CHECK_FALSE(json.contains("metric"));
}

TEST_CASE("what is not plain in a question stands above the picture") {
  Workspace workspace = asking("influence", "leave out");
  bool isPresented = false;  // in the window, a list names the interventions
  const auto unusual = [&] {
    return unusualQuestion(workspace, *latestFor(workspace), neededFor(workspace), isPresented);
  };
  CHECK(unusual().empty());
  commands::chooseMetric("loss").apply(workspace);
  CHECK(unusual() == "loss · mean over the tokens that the task trains");
  workspace.settings.choose(countedPositions, "7-9, 12");
  CHECK(unusual() == "loss · mean over tokens 7-9, 12");
  commands::chooseMetric("").apply(workspace);
  workspace.interventions = {zeroAblation({ModelPart::Kind::Head, 0, 1})};
  CHECK(unusual().empty());
  isPresented = true;
  CHECK(unusual() == "with head L0H1 off");
  commands::setView("attention").apply(workspace);
  CHECK(unusual() == "with head L0H1 off");
}

TEST_CASE("the loss of a typed text is over the tokens that its model's task trains") {
  Workspace workspace = initialWorkspace();
  workspace.model = "induction", workspace.text = "qmbxzqmbxz";
  commands::choosePicture("influence", "leave out").apply(workspace);
  commands::chooseMetric("loss").apply(workspace);
  const auto without = [&] {
    const auto snapshot = latestFor(workspace);
    return (*snapshot->kept.measured)["causal.loss"](1, 4);  // all heads of block 1
  };
  const float trained = without();
  workspace.settings.choose(countedPositions, "6-9");
  CHECK(without() == trained);
  workspace.settings.choose(countedPositions, allPositions);
  CHECK(without() < trained - 3);  // the letters that come first cannot be known
}

TEST_CASE("repeats ablate the induction heads of a model, whose loss is of the second half") {
  Workspace workspace = initialWorkspace();
  workspace.model = "induction", workspace.text = "abcabc";
  commands::choosePicture("influence", "many texts").apply(workspace);
  workspace.settings.choose(neuronCorpus, corpusOfRepeats);
  const auto snapshot = latestFor(workspace);
  REQUIRE(snapshot->kept.measured);
  const TensorView loss = (*snapshot->kept.measured)["effects.loss"];
  CHECK(loss(1, 4) > 3);  // all heads of block 1: the repeat cannot be told without them
}
