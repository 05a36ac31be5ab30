#include "app/document/lens_settings.h"
#include "core/lens/lens_grid.h"
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

TEST_CASE("the lens says what each sublayer promotes and suppresses, from the first on") {
  Workspace workspace = openedOn("next_token", "lens");
  workspace.text = "The dog was too tired.";
  for (const auto& [choice, token, number] :
       {std::tuple(LensSays::Promoted, lens_grid::promoted, lens_grid::promotion),
        {LensSays::Suppressed, lens_grid::suppressed, lens_grid::suppression}}) {
    workspace.settings.choose(lensSaysChoice, choiceOf(choice));
    SeenPicture seen(workspace, {}, {1600, 900});
    const TensorView tokens = *seen.scene.sources.find(token), numbers = *seen.scene.sources.find(number);
    const auto label = [&](int place, int t) {
      return seen.snapshot->model->entryLabel(static_cast<int>(tokens(place, t)));
    };
    CHECK(seen.says(label(1, 2)));
    CHECK(seen.says(label(8, 5)));
    const HitRegion& hit = seen.hit("lens grid");
    Target target = hit.target;
    CHECK(hit.firstRow == 1);
    CHECK_FALSE(seen.says("embed"));
    target.token = 2, target.cell.index = {1, 2};
    CHECK(hit.say(target).starts_with("“" + label(1, 2) + "” after “"));
    CHECK((numbers(1, 2) > 0) == (choice == LensSays::Promoted));
  }
}
