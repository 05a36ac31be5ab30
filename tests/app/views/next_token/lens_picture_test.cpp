#include "tests/app/views/seen_picture.h"

using namespace glassformer;

TEST_CASE("where the lens has no room for words, what every place says of one token stands beside it") {
  Workspace workspace = openedOn("next_token", "lens");
  workspace.text = "The animal didn't cross the street because it was too tired. What was too tired? The";
  SeenPicture seen(workspace, {}, {640, 512});
  CHECK(seen.says("after “·The”"));
  CHECK(seen.says("·animal"));
  Target pointed;
  pointed.token = 6;
  seen.draw(pointed, {640, 512});
  CHECK(seen.says("after “·street”"));
  CHECK(seen.says("·because"));
  seen.draw({}, {1600, 900});  // room in every cell
  CHECK_FALSE(seen.says("after “·The”"));
}
