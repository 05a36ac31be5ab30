#include "app/views/positions/shuffle_picture.h"

#include "app/document/model_commands.h"
#include "core/lens/shuffle.h"
#include "tests/app/views/seen_picture.h"

using namespace glassformer;

namespace {

constexpr const char* isASet = "attention takes the text for a set";

Workspace shuffledOf(const char* model) {
  Workspace workspace = initialWorkspace();
  commands::setModel(model).apply(workspace);
  workspace.view = "positions", workspace.settings.pictures["positions"] = "shuffle";
  if (workspace.text.empty()) workspace.text = "The cat sat on the mat.";
  return workspace;
}

float share(const SeenPicture& seen) {
  return seen.at({shuffle::total, {0}}) / seen.at({shuffle::total, {1}});
}

}  // namespace

TEST_CASE("a model that fills gaps takes a text for a set as soon as its positions are taken out") {
  SeenPicture seen(shuffledOf("fill"));
  CHECK(share(seen) > 1e-2f);
  CHECK_FALSE(seen.says(isASet));
  CHECK(seen.says("positions."));
  seen.click("No positions");
  CHECK(share(seen) < 1e-5f);
  CHECK(seen.says(isASet));
  CHECK(seen.says("0 to rounding"));
  seen.click("No positions");  // and puts them back
  CHECK(seen.workspace.changes.empty());
  CHECK_FALSE(seen.says(isASet));
}

TEST_CASE("a causal model does so only without its mask too") {
  SeenPicture seen(shuffledOf("stories"));
  CHECK(seen.says("order information: learned positions and the causal mask."));
  seen.click("No positions");
  CHECK(seen.says("order information: the causal mask."));
  CHECK(share(seen) > 1e-2f);
  seen.click("No mask");
  CHECK(seen.says(isASet));
  CHECK(share(seen) < 1e-5f);
}

TEST_CASE("the order is another one with each shuffle, the start sign stays, and lines lead to each token") {
  SeenPicture seen(shuffledOf("stories"));
  const int tokens = seen.snapshot->pass->trace->tokenCount();
  const auto order = [&] {
    std::vector<int> places;
    for (int i = 0; i < tokens; ++i) places.push_back(static_cast<int>(seen.at({shuffle::order, {i}})));
    return places;
  };
  const auto first = order();
  seen.click("Shuffle again");
  CHECK(order() != first);
  for (int token = 0; token < tokens; ++token) {
    const HitRegion& place = seen.hit("place " + std::to_string(token));
    CHECK(place.target.token == order()[static_cast<std::size_t>(token)]);
  }
  SeenPicture fill(shuffledOf("fill"));
  REQUIRE_FALSE(fill.snapshot->pass->tokens.front().isWritten());
  CHECK(fill.at({shuffle::order, {0}}) == 0);
}

TEST_CASE("every encoding has this picture, and a way there and back") {
  for (const char* model :
       {"positions/none", "positions/rotary", "positions/alibi", "positions/sinusoidal"}) {
    INFO(model);
    Workspace workspace = shuffledOf(model);
    workspace.settings.pictures.erase("positions");
    SeenPicture seen(workspace);
    seen.click("Shuffle");
    CHECK(seen.scene.sources.contains(shuffle::norms));
    CHECK(share(seen) > 1e-3f);  // the mask is causal
    seen.click(seen.snapshot->model->measurements->contains("positions.model") ? "Encodings" : "Encoding");
    CHECK(seen.workspace.settings.pictures["positions"] == "encoding");
  }
}
