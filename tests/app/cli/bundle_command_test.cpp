#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>

#include "tests/app/cli/program_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a lesson is packed with its model, and the pack is checked as the lesson is") {
  const Folder folder;
  ::setenv("XDG_STATE_HOME", (folder / "state").c_str(), 1);  // where packs are unpacked
  const auto at = [&](const char* name) { return (folder / name).string(); };
  std::filesystem::copy(SOURCE_FOLDER "/assets/models/worked", folder / "mine");
  std::ofstream(folder / "own.md")
      << "---\ntitle: Own\nmodel: ./mine\n---\nWords.\n\n```glassformer\ntext: We wash our cats\nclaim: "
         "tokens == 4\n```\n";
  CHECK(folder.run("bundle " + at("own.md") + " --out " + at("own.glassformer")).status == 0);
  std::filesystem::remove_all(folder / "mine");
  CHECK(folder.run("lesson check " + at("own.md")).status == 1);
  const Run checked = folder.run("lesson check " + at("own.glassformer"));
  CHECK(checked.status == 0);
  CHECK_THAT(checked.out, ContainsSubstring("1 step, all correct"));
  const Run session = folder.run("render --session " + at("own.glassformer") + " --out " + at("a.png"));
  CHECK(session.status == 1);
  CHECK(isOneLine(session.error));
  const Run nothing = folder.run("bundle " + at("nowhere.md"));
  CHECK(nothing.status == 1);
  CHECK(isOneLine(nothing.error));
  ::unsetenv("XDG_STATE_HOME");
}
