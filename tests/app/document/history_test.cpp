#include "app/document/history.h"

#include <catch2/catch_test_macros.hpp>

#include "app/document/comparison_commands.h"
#include "app/document/decoding_commands.h"
#include "app/document/model_commands.h"
#include "app/document/text_commands.h"
#include "app/document/trace_file.h"
#include "app/document/view_commands.h"

using namespace glassformer;
using namespace glassformer::commands;

TEST_CASE("undo and redo bring the text back and leave the view where it is") {
  History history(initialWorkspace());
  const std::string first = history.current().text;
  history.apply(setText("a"), 0);
  history.apply(setView("residual"), 1);
  history.apply(setText("b"), 2);
  history.undo();
  CHECK(history.current().text == "a");
  CHECK(history.current().view == "residual");
  history.undo();
  CHECK(history.current().text == first);
  CHECK_FALSE(history.canUndo());
  history.redo();
  history.redo();
  CHECK(history.current().text == "b");
  CHECK_FALSE(history.canRedo());
}

TEST_CASE("texts lie in tabs; a new one opens beside the open one, closing goes back") {
  History history(initialWorkspace());
  const std::string first = history.current().text;
  history.apply(newTab("b"), 0);
  history.apply(newTab("c"), 1);
  CHECK(history.current().tabCount() == 3);
  CHECK(history.current().tab == 2);
  CHECK(history.current().text == "c");
  history.apply(openTab(0), 2);
  CHECK(history.current().text == first);
  CHECK(history.current().aside == std::vector<TabText>{"b", "c"});
  history.apply(setText("a"), 3);
  history.apply(openTab(2), 4);
  CHECK(history.current().textOfTab(0) == "a");
  CHECK(history.current().textOfTab(1) == "b");
  history.apply(closeTab(1), 5);
  CHECK(history.current().tab == 1);
  CHECK(history.current().text == "c");
  CHECK(history.current().textOfTab(0) == "a");
  history.apply(closeTab(1), 6);
  history.apply(closeTab(0), 7);
  CHECK(history.current().tabCount() == 1);
  CHECK(history.current().text.empty());
  while (history.canUndo()) history.undo();
  CHECK(history.current().text == first);
  CHECK(history.current().tabCount() == 1);
}

TEST_CASE("a comparison follows its texts") {
  History history(initialWorkspace());
  history.apply(newTab("b"), 0);
  history.apply(newTab("c"), 1);
  const auto with = [&] { return history.current().comparison.with; };
  history.apply(compareWith(OtherText{0}), 2);
  CHECK(with() == Compared(OtherText{0}));
  history.apply(openTab(0), 3);  // the other way round
  CHECK(with() == Compared(OtherText{2}));
  history.apply(newTab("between"), 4);
  CHECK(with() == Compared(OtherText{3}));
  history.apply(closeTab(2), 5);
  CHECK(with() == Compared(OtherText{2}));
  CHECK(history.current().textOfTab(*history.current().comparison.otherTab()) == "c");
  history.apply(compareWith(OtherText{history.current().tab}), 6);
  CHECK(with() == Comparison::off);
  history.apply(compareWith(Comparison::withoutInterventions), 7);
  CHECK(with() == Comparison::withoutInterventions);
  history.apply(compareWith(OtherText{99}), 8);
  CHECK(with() == Comparison::off);
  history.apply(compareWith(OtherText{2}), 9);
  history.apply(closeTab(2), 10);
  CHECK(with() == Comparison::off);
}

TEST_CASE("a trace that is compared with is undone, let go, and follows no other trace") {
  History history(initialWorkspace());
  const auto& now = history.current();
  history.apply(compareWithTrace("/kept/mine.npz"), 0);
  CHECK(now.recordedTrace == "/kept/mine.npz");
  CHECK(now.comparison.with == Comparison::recordedTrace);
  CHECK(comparables(now) == std::vector<Compared>{Comparison::recordedTrace});
  history.apply(compareWithTrace("/kept/other.npz"), 1);
  history.undo();
  CHECK(now.recordedTrace == "/kept/mine.npz");
  CHECK(now.comparison.with == Comparison::recordedTrace);
  history.undo();
  CHECK(now.recordedTrace.empty());
  CHECK(now.comparison.with == Comparison::off);
  history.redo();
  history.apply(compareWith(Comparison::recordedTrace), 2);
  history.apply(forgetTrace(), 3);
  CHECK(now.comparison.with == Comparison::off);
  CHECK(comparables(now).empty());
  // Beside a trace another one is a tab.
  history.apply(openTrace("/kept/mine.npz"), 4);
  history.apply(compareWithTrace("/kept/other.npz"), 5);
  CHECK(now.recordedTrace.empty());
  CHECK(now.tab == 0);
  CHECK(now.textOfTab(now.comparison.otherTab().value()) == "/kept/other.npz");
  history.apply(compareWithTrace("/kept/mine.npz"), 6);  // itself
  CHECK(now.tabCount() == 2);
}

TEST_CASE("every state has the name of what led to it, and can be gone to") {
  History history(initialWorkspace());
  history.apply(setText("a", "typing"), 0);
  history.apply(setModel("other"), 5);
  history.apply(setText("b", "typing"), 9);
  CHECK(history.stateCount() == 4);
  CHECK(history.state() == 3);
  const auto names = [&] {
    std::vector<std::string> all;
    for (int i = 0; i < history.stateCount(); ++i)
      all.push_back(history.stateName(i) + " " + history.stateText(i));
    return all;
  };
  const std::vector<std::string> expected{"start " + initialWorkspace().text, "typing a", "model a",
                                          "typing b"};
  CHECK(names() == expected);
  history.goTo(1);
  CHECK(history.current().text == "a");
  CHECK(history.current().model == "stories");
  CHECK(names() == expected);  // what lies ahead keeps its name
  history.goTo(3);
  CHECK(history.current().text == "b");
  history.goTo(99);
  CHECK(history.state() == 3);
}

TEST_CASE("typing without a pause is undone together, a pause starts a new step") {
  History history(initialWorkspace());
  history.apply(setText("h", "typing"), 10.0);
  history.apply(setText("he", "typing"), 10.3);
  history.apply(setText("hey", "typing"), 10.9);
  history.apply(setText("hey you", "typing"), 13.0);
  history.undo();
  CHECK(history.current().text == "hey");
  history.undo();
  CHECK(history.current().text == initialWorkspace().text);
}

TEST_CASE("pins are undone one by one, all let go at once come back together, and the text stays") {
  History history(initialWorkspace());
  const Pin first{"logits", {1, 2, 0, 0}}, second{"logits", {3, 2, 0, 0}};
  history.apply(togglePin(first), 0);
  history.apply(togglePin(second), 0.1);
  history.apply(setView("residual"), 0.2);
  history.undo();
  CHECK(history.current().pins == std::vector{first});
  CHECK(history.current().view == "residual");
  history.redo();
  CHECK(history.current().pins == std::vector{first, second});
  history.apply(setText("a"), 5);
  history.apply(unpinAll(), 6);
  CHECK(history.current().pins.empty());
  history.apply(unpinAll(), 7);  // nothing to let go: no step
  CHECK(history.stateName(history.state()) == "letting all pins go");
  history.undo();
  CHECK(history.current().pins == std::vector{first, second});
  CHECK(history.current().text == "a");
  history.undo();
  CHECK(history.current().pins == std::vector{first, second});
  history.undo();
  history.undo();
  CHECK(history.current().pins.empty());
  CHECK_FALSE(history.canUndo());
}

TEST_CASE("a new change after undo forgets what could be redone") {
  History history(initialWorkspace());
  history.apply(setText("a"), 0);
  history.undo();
  history.apply(setText("b"), 5);
  CHECK_FALSE(history.canRedo());
  history.undo();
  CHECK(history.current().text == initialWorkspace().text);
}

TEST_CASE("a command that changes nothing is no change") {
  History history(initialWorkspace());
  const auto revision = history.revision();
  history.apply(setText(history.current().text), 0);
  CHECK(history.revision() == revision);
  CHECK_FALSE(history.canUndo());
}

TEST_CASE("a source is written beside the text, and lies in the same tab") {
  History history(initialWorkspace());
  history.apply(setSource("The dog sang."), 0);
  history.apply(setText("Der"), 5);
  history.apply(newTab({"Die", "The cat slept."}), 10);
  CHECK(history.current().source == "The cat slept.");
  CHECK(history.current().sourceOfTab(0) == "The dog sang.");
  history.apply(openTab(0), 11);
  CHECK(history.current().source == "The dog sang.");
  CHECK(history.current().sourceOfTab(1) == "The cat slept.");
  while (history.canUndo()) history.undo();
  CHECK(history.current().source.empty());
  CHECK(history.current().text == initialWorkspace().text);
}

TEST_CASE("a model opens with the prompt of its task, and the head that shows it") {
  History history(initialWorkspace());
  history.apply(setModel("translate"), 0);
  history.apply(setModel("induction"), 1);
  CHECK(history.current().text == firstWriting("induction")->text);
  CHECK(history.current().source.empty());
  CHECK(history.current().selection.site == AttentionSite::Self);
  CHECK(history.current().selection.layer == 1);
  history.apply(setText("abcab"), 2);
  history.apply(setModel("positions/rotary"), 3);
  CHECK(history.current().text == firstWriting("positions/alibi")->text);
  history.apply(setText("xyzxy"), 4);
  history.apply(setModel("positions/alibi"), 5);  // the same text, to compare encodings
  CHECK(history.current().text == "xyzxy");
  history.apply(setModel("/models/induction/"), 6);
  CHECK(history.current().text == "abcab");
  CHECK_FALSE(firstWriting("stories"));
  CHECK_FALSE(firstWriting(""));
  CHECK_FALSE(firstHead("addition"));
}

TEST_CASE("models of other texts bring their own tabs, and find them again") {
  History history(initialWorkspace());
  history.apply(newTab("another story"), 0);
  history.apply(setModel("translate"), 1);
  CHECK(history.current().tabCount() == 1);
  CHECK(history.current().text == firstWriting("translate")->text);
  CHECK(history.current().source == firstWriting("translate")->source);
  CHECK(history.current().selection.site == AttentionSite::Cross);
  history.apply(setSource("The dog sang."), 2);
  history.apply(setModel("/some/folder/fill"), 3);
  CHECK(history.current().text.find("<|mask|>") != std::string::npos);
  history.apply(setModel("/some/gpt2"), 4);  // reads what stories reads
  CHECK(history.current().tabCount() == 2);
  CHECK(history.current().text == "another story");
  history.apply(setModel("/another/place/translate/"), 5);
  CHECK(history.current().source == "The dog sang.");
  history.undo();
  CHECK(history.current().model == "/some/gpt2");
  CHECK(history.current().text == "another story");
  history.undo(), history.undo(), history.undo(), history.undo();
  CHECK(history.current().model == initialWorkspace().model);
  CHECK(history.current().tabCount() == 2);
}

TEST_CASE("each kind of text is gone on with in its own way, also after another model was open") {
  Workspace w = initialWorkspace();
  w.decoding.depth = 7, w.selection.layer = 3;
  commands::setModel("translate").apply(w);
  CHECK(w.decoding.depth == 24);
  w.decoding.depth = 30;
  commands::setModel("stories").apply(w);
  CHECK(w.decoding.depth == 7);
  CHECK(w.selection.layer == 3);
  CHECK(w.selection.site == AttentionSite::Self);
  commands::setModel("sort").apply(w);
  CHECK(w.decoding == Decoding{});
  commands::setModel("translate").apply(w);
  CHECK(w.decoding.depth == 30);
  CHECK(w.selection.site == AttentionSite::Cross);
}

TEST_CASE("a gesture is one step that is called as it ended") {
  History history(initialWorkspace());
  Decoding decoding;
  for (const int depth : {7, 8, 9}) {
    decoding.depth = depth;
    history.apply(commands::setDecoding(decoding, "tokens " + std::to_string(depth), "number 1"), depth * 10);
  }
  CHECK(history.stateCount() == 2);
  CHECK(history.stateName(1) == "tokens 9");
  decoding.depth = 10;
  history.apply(commands::setDecoding(decoding, "tokens 10", "number 2"), 90.1);
  CHECK(history.stateCount() == 3);
}

TEST_CASE("a model that cannot be opened leaves what was written since") {
  History history(initialWorkspace());
  history.apply(commands::setModel("damaged"), 0);
  history.apply(commands::setText("written meanwhile", "typing"), 1);
  CHECK(history.refuseModel("stories"));
  CHECK(history.current().model == "stories");
  CHECK(history.current().text == "written meanwhile");
  history.undo();
  CHECK(history.current().model == "stories");
  CHECK(history.current().text == initialWorkspace().text);
  CHECK_FALSE(history.refuseModel("stories"));
}

TEST_CASE("undo brings all of the content back, and nothing else; what leaves it as it is cannot be undone") {
  History history(initialWorkspace());
  const Workspace first = history.current();
  const auto changeAll = [](Workspace& w) {
    w.content() = {.model = "copy",
                   .changes = {{"mask", "window"}},
                   .text = "a",
                   .source = "b",
                   .aside = {"c"},
                   .tab = 1,
                   .desks = {{"translate", {}}},
                   .interventions = {{"logits"}},
                   .paused = {{{"logits"}, 1}},
                   .decoding = {.depth = 2},
                   .schedules = {"constant", "cosine"}};
    w.comparison.with = OtherText{0}, w.step = "logits", w.view = "residual";
    w.settings.prunedShown = 7, w.figure.scale = 1, w.plan.seed = 4, w.look.zoom = 2;
  };
  history.apply({changeAll, "everything", ""}, 0);
  const Workspace changed = history.current();
  history.undo();
  CHECK(history.current().content() == first.content());
  CHECK(history.current().view == "residual");
  CHECK(history.current().settings == changed.settings);
  CHECK(history.current().figure == changed.figure);
  CHECK(history.current().plan == changed.plan);
  CHECK(history.current().look == changed.look);
  history.redo();
  CHECK(history.current().content() == changed.content());
  history.apply({[](Workspace& w) { w.view = "beam", w.comparison.with = Comparison::off; }, "a view", ""},
                1);
  CHECK(history.current().view == "beam");
  CHECK(history.stateCount() == 2);
}
