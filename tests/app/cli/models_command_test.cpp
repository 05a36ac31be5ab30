#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tests/app/cli/program_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("models that belong to a family are listed and opened by both names") {
  const Folder folder;
  const std::string models = folder.run("models").out;
  CHECK(models.find("\npositions/rotary ") != std::string::npos);
  CHECK(models.find("\ninduction ") != std::string::npos);
  const Run next = folder.run("generate --model positions/alibi --text qmbxzfqmb --max-new-tokens 3");
  CHECK_THAT(next.out, ContainsSubstring("qmbxzfqmbxzf"));
  CHECK_THAT(folder.run("generate --model positions --text a").error, ContainsSubstring("positions"));
}
