#include "app/views/tokens/merge_slider.h"

#include <catch2/catch_test_macros.hpp>

#include "app/document/cuts_settings.h"
#include "app/document/prepared_texts.h"
#include "tests/app/views/seen_picture.h"

using namespace glassformer;

namespace {

// The tokens of the row of a cut, as its hover counts them.
int tokensOf(const SeenPicture& seen, const std::string& cut) {
  const std::string& words = seen.hit("cut " + cut).target.text;
  return std::stoi(words.substr(words.find(": ") + 2));
}

Workspace longWord() {
  Workspace workspace = initialWorkspace();
  for (const PreparedText& text : preparedTexts())
    if (text.label == "Gesundheitsforschungsinstitute") commands::openPrepared(text).apply(workspace);
  return workspace;
}

}  // namespace

TEST_CASE("dragging the slider cuts the text anew, from bytes to what the model reads") {
  SeenPicture seen(longWord());
  const auto all = static_cast<int>(seen.snapshot->model->tokenizer->mergeCount());
  const int bytes = tokensOf(seen, "bytes"), model = tokensOf(seen, "model");
  CHECK(bytes == 30);
  CHECK(model < bytes);
  seen.act(seen.hit("merges").pan({-2, 0}));
  CHECK(seen.workspace.settings.chosen(mergesChoice) == "0");
  CHECK(tokensOf(seen, "merges 0") == bytes);
  int before = bytes;
  for (int i = 0; i < 2; ++i) {
    seen.act(seen.hit("merges").arrows(0, -5));
    const std::string now(seen.workspace.settings.chosen(mergesChoice));
    if (now.empty()) break;
    const int tokens = tokensOf(seen, "merges " + now);
    CHECK(tokens <= before);
    CHECK(tokens >= model);
    before = tokens;
  }
  CHECK(before < bytes);
  seen.act(seen.hit("merges").reset());
  CHECK(seen.workspace.settings.chosen(mergesChoice).empty());
  seen.act(seen.hit("merges").arrows(-1, 0));
  CHECK(seen.workspace.settings.chosen(mergesChoice) == std::to_string(all - 1));
}

TEST_CASE("the pieces of a joint vocabulary say which language they serve, by counting") {
  const SeenPicture seen(longWord());
  REQUIRE(seen.snapshot->kept.measured);
  const TensorView count = (*seen.snapshot->kept.measured)["pieces.count"];
  const auto id = [&](const char* text) { return seen.snapshot->model->tokenizer->encodeIds(text)[0]; };
  CHECK(count(0, id(" because")) > 0);
  CHECK(count(1, id(" because")) == 0);
  CHECK(count(1, id(" nicht")) > 0);
  CHECK(count(0, id(" nicht")) == 0);
  CHECK(count(0, id(".")) > 0);
  CHECK(count(1, id(".")) > 0);
  CHECK(seen.says("in the source"));
  CHECK(seen.says("in both"));
  const std::string first = seen.snapshot->pass->tokens[1].label;
  CHECK(seen.hit("piece " + first).target.text.find(" in the targets of 400 texts") != std::string::npos);
}

TEST_CASE("the tree of a word's merges follows the slider") {
  Workspace workspace = openedOn("tokens", "merges");
  workspace.text = "The animal";
  const auto steps = [](const SeenPicture& seen) {
    return std::ranges::count_if(seen.scene.hits,
                                 [](const HitRegion& hit) { return hit.name.starts_with("merge "); });
  };
  SeenPicture seen(workspace);
  const auto all = steps(seen);
  CHECK(all > 2);
  seen.act(seen.hit("merges").pan({-2, 0}));
  CHECK(steps(seen) == 0);
  seen.act(seen.hit("merges").arrows(10, 0));
  CHECK(steps(seen) < all);
}

TEST_CASE("what is learned here leaves words unknown that the same number of merges cuts") {
  Workspace workspace = openedOn("tokens", "cuts");
  workspace.text = "The dog and the cat and the dog sang. The bird slept.";
  workspace.settings.choose(cutsChoice, cutsLearnedHere);
  workspace.settings.choose(mergesChoice, "3");
  const SeenPicture seen(workspace);
  CHECK(seen.says("UNK"));
  CHECK(seen.says("3 merges"));
  CHECK(tokensOf(seen, "learned") > tokensOf(seen, "known words"));
  CHECK(tokensOf(seen, "learned") < tokensOf(seen, "bytes"));
}
