#include "app/document/branch.h"

#include <catch2/catch_test_macros.hpp>

#include "app/document/branch_commands.h"
#include "app/document/model_commands.h"
#include "app/document/workspace.h"
#include "app/document/workspace_json.h"

using namespace glassformer;

TEST_CASE("branches take the next free letter and the colour that is least used, and are not kept twice") {
  Workspace w = initialWorkspace();
  for (const char* text : {"a", "b", "a", "c"}) commands::keepBranch({text}).apply(w);
  REQUIRE(w.branches.size() == 3);
  CHECK(w.branches[2] == Branch{"C", {"c"}, 3});
  commands::dropBranch(1).apply(w);
  commands::keepBranch({"d"}).apply(w);
  CHECK(w.branches[2] == Branch{"B", {"d"}, 2});
  commands::renameBranch(0, "").apply(w);
  CHECK(w.branches[0].name == "A");
  commands::renameBranch(0, "what it says").apply(w);
  CHECK(w.branches[0].name == "what it says");
  commands::dropBranch(7).apply(w);
  commands::renameBranch(-1, "x").apply(w);
  for (int i = 0; i < 30; ++i) commands::keepBranch({std::to_string(i)}).apply(w);
  CHECK(w.branches.size() == mostBranches);
}

TEST_CASE("a branch is compared in a tab of its own, and in no second one") {
  Workspace w = initialWorkspace();
  commands::compareWithWriting({"other"}).apply(w);
  CHECK(w.textOfTab(1) == "other");
  CHECK(w.comparison.otherTab() == 1);
  commands::compareWithWriting({"other"}).apply(w);
  CHECK(w.tabCount() == 2);
  commands::compareWithWriting({w.text}).apply(w);
  CHECK(w.tabCount() == 2);
}

TEST_CASE("branches stay with the kind of text that they are of, and with the session") {
  Workspace w = initialWorkspace();
  commands::keepBranch({"Once\xFF", ""}).apply(w);
  commands::setModel("translate").apply(w);
  CHECK(w.branches.empty());
  commands::keepBranch({"Der Hund", "The dog"}).apply(w);
  const auto read = workspaceFromJson(toJson(w));
  REQUIRE(read);
  CHECK(read->branches == w.branches);
  CHECK(read->desks == w.desks);
  commands::setModel("stories").apply(w);
  REQUIRE(w.branches.size() == 1);
  CHECK(w.branches[0].writing.text == "Once\xFF");
}
