#include "app/document/positions_settings.h"

#include <catch2/catch_test_macros.hpp>

#include "app/document/position_hands.h"
#include "app/document/view_commands.h"
#include "app/document/workspace.h"
#include "core/model/positional/positional_encodings.h"

using namespace glassformer;

TEST_CASE("pairs are shown from fast to slow until some are chosen, and stay inside the model") {
  PositionsSettings settings;
  CHECK(shownPairs(settings, 128) == std::vector{0, 8, 16, 32});
  CHECK(shownPairs(settings, 2) == std::vector{0});
  settings.pairs = {3, 20, 500};
  CHECK(shownPairs(settings, 128) == std::vector{3, 20});
  CHECK(shownPairs(settings, 4) == std::vector{0, 1});
}

TEST_CASE("a click on a pair adds it or takes it out; the last one stays") {
  Workspace workspace = initialWorkspace();
  const auto toggle = [&](int pair) {
    commands::togglePair(pair, 128).apply(workspace);
    return workspace.settings.positions.pairs;
  };
  CHECK(toggle(5) == std::vector{0, 5, 8, 16, 32});
  CHECK(toggle(8) == std::vector{0, 5, 16, 32});
  for (const int pair : {0, 16, 32}) toggle(pair);
  CHECK(toggle(5) == std::vector{5});
  for (int pair = 0; pair < 20; ++pair)
    if (pair != 5) toggle(pair);
  CHECK(static_cast<int>(workspace.settings.positions.pairs.size()) == mostPairs);
}

TEST_CASE("the distance stays inside the context") {
  PositionsSettings settings;
  settings.distance = 64;
  CHECK(shownDistance(settings, 128) == 64);
  CHECK(shownDistance(settings, 16) == 15);
  CHECK(shownDistance(settings, 1) == 1);
}

TEST_CASE("the base of sinusoids is the model's own where it has one, and else the picture's") {
  ModelConfig config{.layers = 1, .heads = 1, .width = 8, .vocabulary = 5, .context = 16};
  config.positions = findPositionalEncoding("sinusoidal_halves");
  PositionsSettings settings;
  settings.base = 50;
  CHECK(ownBase(config) == 10000);
  CHECK(shownHands(settings, config).hands == Hands::Halves);
  Workspace workspace;
  commands::setPositionBase(config, config, {}, 100).apply(workspace);
  CHECK(workspace.changes == ModelChanges{{"position_parameter", "100"}});
  ModelConfig changed = config;
  changed.positionParameter = 100;
  CHECK(shownBase(settings, changed) == 100);
  const Command back = commands::setPositionBase(changed, config, workspace.changes, 10000);
  CHECK_FALSE(back.undoName.empty());
  back.apply(workspace);
  CHECK(workspace.changes.empty());  // the usual one, as it was loaded
  for (const char* other : {"learned", "rotary", "concatenated"}) {
    config.positions = findPositionalEncoding(other);
    CHECK_FALSE(ownBase(config));
  }
  CHECK(shownHands(settings, config).first == 4);  // concatenated: the last columns
  settings.table = PositionTable::Sinusoidal;
  CHECK(shownHands(settings, config).base == 50);
  commands::setPositionBase(config, config, {}, 200).apply(workspace);
  CHECK(workspace.changes.empty());
  CHECK(workspace.settings.positions.base == 200);
}
