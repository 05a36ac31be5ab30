#include "app/document/history.h"

#include <catch2/catch_test_macros.hpp>

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
