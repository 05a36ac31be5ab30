#include "app/views/cost/one_by_one_scene.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "app/document/model_commands.h"
#include "tests/app/views/seen_picture.h"

using namespace glassformer;

TEST_CASE("one token at a time is all at once, at every point, in both stacks that write") {
  for (const char* model : {"stories", "translate", "linear", "positions/rotary"}) {
    INFO(model);
    Workspace workspace = openedOn("cost", "one by one");
    commands::setModel(model).apply(workspace);
    if (workspace.model == "translate") workspace.text = "Anna sagt, dass er";
    const SeenPicture seen(workspace);
    const int tokens = seen.snapshot->pass->trace->tokenCount();
    REQUIRE(tokens > 3);
    // Every step computed one row, and found all others.
    for (int t = 0; t < tokens; ++t) CHECK(seen.at({"steps.reused", {t}}) == static_cast<float>(t));
    const TensorView difference = *seen.scene.sources.find("steps.difference"),
                     size = *seen.scene.sources.find("steps.size");
    int points = 0;
    difference.forEach([&](const std::array<int, maxRank>& at, float apart) {
      CHECK(std::isnan(apart) == std::isnan(size.at(at)));
      if (std::isnan(apart)) return;
      ++points;
      CHECK(apart <= 2e-5f * std::max(1.0f, size.at(at)));
    });
    CHECK(points > 20);
    // The logits are there, and are those of the pass on screen.
    const TensorView logits = (*seen.snapshot->pass->trace)["logits"];
    float most = 0;
    logits.forEach([&](const auto&, float x) { most = std::max(most, std::abs(x)); });
    CHECK(size(size.extent[0] - 1, size.extent[1] - 1) == most);
  }
}

TEST_CASE("a model whose tokens see those behind them is not computed one by one") {
  Workspace workspace = openedOn("cost", "one by one");
  commands::setModel("fill").apply(workspace);
  CHECK(SeenPicture(workspace).says("this model has no cache"));
}
