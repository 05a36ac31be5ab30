#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>

#include "tests/app/cli/program_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("lessons are checked against the models, and what does not hold is said with its line") {
  const Folder folder;
  const auto lesson =
      [&](const char* claim) {
        std::ofstream(folder / "own.md")
            << "---\ntitle: Own\nmodel: worked\n---\nWords.\n\n```glassformer\nclaim: " << claim << "\n```\n";
        return folder.run("lesson check " + (folder / "own.md").string());
      };
  const Run holds = lesson("tokens == 4");
  CHECK(holds.status == 0);
  CHECK_THAT(holds.out, ContainsSubstring("1 step, all correct"));
  const Run fails = lesson("tokens == 5");
  CHECK(fails.status == 1);
  CHECK_THAT(fails.out, ContainsSubstring("own.md, line 8, claim"));
  CHECK(isOneLine(fails.error));
  const Run missing = folder.run("lesson check nowhere");
  CHECK(missing.status == 1);
  CHECK_THAT(missing.out, ContainsSubstring("nowhere"));
  CHECK(folder.run("lesson").status == 2);
}
