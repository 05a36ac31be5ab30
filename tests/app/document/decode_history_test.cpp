#include "app/document/decode_history.h"

#include <catch2/catch_test_macros.hpp>

#include "app/document/decoding_commands.h"
#include "app/document/history.h"
#include "app/document/text_commands.h"
#include "app/document/workspace_json.h"

using namespace glassformer;

namespace {

Workspace writing(const char* text) {
  Workspace w = initialWorkspace();
  w.text = text;
  return w;
}

}  // namespace

TEST_CASE("what is decoded is a way: one goes back on it, forward and to either end, and nothing is lost") {
  Workspace w = writing("The dog");
  CHECK_FALSE(isOnWay(w));
  commands::appendText("The dog", " went", ChosenBy::Greedy).apply(w);
  commands::appendText("The dog went", " home", ChosenBy::Greedy).apply(w);
  CHECK(w.way.from.text == "The dog");
  CHECK(w.way.to == "The dog went home");
  commands::goToPrefix("The dog went").apply(w);
  CHECK(w.text == "The dog went");
  CHECK(w.way.to == "The dog went home");
  commands::goToPrefix("The dog").apply(w);
  CHECK(isOnWay(w));
  // Nowhere else.
  for (const char* elsewhere : {"The", "The cat", "The dog went home today"}) {
    commands::goToPrefix(elsewhere).apply(w);
    CHECK(w.text == "The dog");
  }
  // The same token goes along it, another one leaves what lay behind.
  commands::appendText("The dog", " went", ChosenBy::Greedy).apply(w);
  CHECK(w.way.to == "The dog went home");
  commands::appendText("The dog went", " away", ChosenBy::Greedy).apply(w);
  CHECK(w.way.to == "The dog went away");
  CHECK(w.way.from.text == "The dog");
  // Whoever types elsewhere is no longer on it; decoding begins another one there.
  w.text = "A cat";
  CHECK_FALSE(isOnWay(w));
  commands::appendText("A cat", " ran", ChosenBy::Greedy).apply(w);
  CHECK(w.way.from.text == "A cat");
}

TEST_CASE("a tree stays where it grows from while its hypotheses are looked at, until decoding goes on") {
  Workspace w = writing("The dog");
  const auto root = [&] { return std::string(w.way.searchedFrom(w.text, w.source)); };
  CHECK(root() == "The dog");
  commands::lookAt("The dog", " went home").apply(w);
  CHECK(w.text == "The dog went home");
  CHECK(root() == "The dog");
  commands::lookAt("The dog", " ran").apply(w);
  CHECK(w.text == "The dog ran");
  CHECK(root() == "The dog");
  commands::lookAt("The dog", "").apply(w);
  CHECK(w.text == "The dog");
  commands::lookAt("The dog", " ran away").apply(w);
  commands::goToPrefix("The dog ran").apply(w);
  CHECK(root() == "The dog");
  commands::searchFromHere().apply(w);
  CHECK(root() == "The dog ran");
  commands::lookAt("The dog ran", " away").apply(w);
  CHECK(root() == "The dog ran");
  commands::goToPrefix("The dog").apply(w);  // before the root
  CHECK(root() == "The dog");
  commands::lookAt("The dog", " ran").apply(w);
  commands::appendText("The dog ran", " home", ChosenBy::Greedy).apply(w);
  CHECK(root() == "The dog ran home");
}

TEST_CASE(
    "places are undone at once, decoding piece by piece; sessions keep the way, but none that was left") {
  History history(writing("The dog"));
  history.apply(commands::appendText("The dog", " went", ChosenBy::Greedy), 0);
  history.apply(commands::appendText("The dog went", " home", ChosenBy::Sampling), 1);
  history.apply(commands::goToPrefix("The dog went"), 2);
  history.apply(commands::goToPrefix("The dog"), 30);
  history.undo();
  CHECK(history.current().text == "The dog went home");
  history.undo();
  CHECK(history.current().text == "The dog went");
  CHECK(history.current().way.to == "The dog went");
  history.redo();

  Workspace w = history.current();
  commands::lookAt("The dog went", " ba\xC3").apply(w);
  auto read = workspaceFromJson(toJson(w));
  REQUIRE(read);
  CHECK(read->way == w.way);
  w.text = "Something else";
  read = workspaceFromJson(toJson(w));
  REQUIRE(read);
  CHECK(read->way == DecodeHistory{});
}

TEST_CASE("how each token was decoded is kept on the way, back and forth, until another one is decoded") {
  Workspace w = initialWorkspace();
  w.text = "The dog";
  const auto at = [&](std::size_t byte) { return w.way.stretchAt(byte); };
  w.decoding.seed = 5;
  commands::appendText("The dog", " went", ChosenBy::Sampling).apply(w);
  w.decoding.seed = 9, w.decoding.stages = {{"temperature", 0.5f}};
  commands::appendText("The dog went", " home", ChosenBy::Sampling).apply(w);
  commands::goToPrefix("The dog").apply(w);
  REQUIRE(at(7));
  CHECK(at(7)->decoding.seed == 5);
  CHECK(at(12)->decoding.seed == 9);
  CHECK(at(12)->decoding.stages == w.decoding.stages);
  CHECK(at(6) == nullptr);   // the prompt
  CHECK(at(17) == nullptr);  // behind all of it
  CHECK(w.way.goneOnBehind("The dog", "") == at(7));
  CHECK(w.way.goneOnBehind("The dog went home", "") == nullptr);
  const auto read = workspaceFromJson(toJson(w));
  REQUIRE(read);
  CHECK(read->way == w.way);
  // The same token by hand: it alone was decoded otherwise.
  commands::forceToken("The dog", " went", "went").apply(w);
  CHECK(w.text == "The dog went");
  CHECK(at(7)->by == ChosenBy::Hand);
  CHECK(at(12)->by == ChosenBy::Sampling);
  commands::forceToken("The dog", " ran", "ran").apply(w);
  CHECK(w.way.to == "The dog ran");
  CHECK(w.way.stretches.size() == 1);
}

TEST_CASE("decoding again from a place forgets what lies behind it, and undo brings it back") {
  Workspace w = initialWorkspace();
  w.text = "The dog";
  commands::appendText("The dog", " went home", ChosenBy::Sampling).apply(w);
  History history(w);
  history.apply(commands::goToPrefix("The dog went"), 0);
  history.apply(commands::decodeAgainFrom("The dog went"), 1);
  CHECK(history.current().way.to == "The dog went");
  REQUIRE(history.current().way.stretches.size() == 1);
  CHECK(history.current().way.stretches.front().end == 12);
  history.undo();
  CHECK(history.current().way.to == "The dog went home");
  CHECK(history.current().way.stretches.front().end == 17);
}

TEST_CASE("stretches of a file that are out of order, or behind the text, are left out") {
  Workspace w = initialWorkspace();
  w.text = "The dog";
  commands::appendText("The dog", " went", ChosenBy::Greedy).apply(w);
  w.way.stretches.push_back({4, ChosenBy::Beam, {}});
  w.way.stretches.push_back({400, ChosenBy::Hand, {}});
  const auto read = workspaceFromJson(toJson(w));
  REQUIRE(read);
  REQUIRE(read->way.stretches.size() == 1);
  CHECK(read->way.stretches.front().by == ChosenBy::Greedy);
}
