// One version, whoever says it.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <sstream>

#include "tests/app/cli/program_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("program, changelog and packages say one version") {
  const Folder folder;
  const std::string version = GLASSFORMER_VERSION;
  CHECK(folder.run("--version").out == "Glassformer " + version + "\n");
  std::istringstream lines(content(SOURCE_FOLDER "/CHANGELOG.md"));
  std::string newest;
  for (std::string line; newest.empty() && std::getline(lines, line);)
    if (line.starts_with("## [")) newest = line;
  CHECK((newest == "## [Unreleased] " + version || newest.starts_with("## [" + version + "] - 20")));
  CHECK_THAT(content(SOURCE_FOLDER "/CONTRIBUTING.md"),
             ContainsSubstring("glassformer-" + version + "-x86_64.deb"));
}
