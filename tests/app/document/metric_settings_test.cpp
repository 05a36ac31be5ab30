#include "app/document/metric_settings.h"

#include <catch2/catch_test_macros.hpp>

#include "app/document/workspace.h"

using namespace glassformer;

TEST_CASE("positions that are counted are a list of tokens, or it is none") {
  using Tokens = std::vector<bool>;
  CHECK(listedPositions("1-2, 4", 6) == Tokens{false, true, true, false, true, false});
  CHECK(listedPositions("4,1-2", 6) == listedPositions("1-2, 4", 6));
  CHECK(listedPositions("3-99", 5) == Tokens{false, false, false, true, true});
  for (const char* none : {"", "all", "last", "1-", "-1", "2-1", "1,", "1;2", "1 2", "one"})
    CHECK_FALSE(listedPositions(none, 5));
  CHECK(positionList({false, true, true, false, true, false}) == "1-2, 4");
  CHECK(positionList({false, false}).empty());
}

TEST_CASE("tokens are counted as the task trains them, all, the last one, or those of a list") {
  const CountedTokens trained{false, false, true};
  CHECK(countedTokens("", 4, trained) == trained);
  CHECK(countedTokens(allPositions, 4, trained).empty());
  CHECK(countedTokens(lastPosition, 4, trained) == CountedTokens{false, false, true});
  CHECK(countedTokens("1, 3", 4, trained) == CountedTokens{true, false, true});
  CHECK(countedTokens("9", 4, trained) == trained);  // of a longer text
}

TEST_CASE("painting tokens counts them, or no longer, and leaves a list") {
  Workspace workspace = initialWorkspace();
  commands::paintCounted({true, true, true, true}, 3, 2, false).apply(workspace);
  CHECK(workspace.settings.chosen(countedPositions) == "1, 4");
  commands::paintCounted({true, false, false, true}, 0, 2, true).apply(workspace);
  CHECK(workspace.settings.chosen(countedPositions) == "1-2, 4");
}
