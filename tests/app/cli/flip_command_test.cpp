#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/cli/program_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("flip finds what changes an answer, and what it says of a text is what the text gives",
          "[accuracy]") {
  const Folder folder;
  const std::string text =
      "The animal didn't cross the street because it was too tired. What was too tired? The";
  const Run run = folder.run("flip --text \"" + text + "\" --to ' duck' --json --listed 5");
  INFO(run.error);
  REQUIRE(run.status == 0);
  const auto json = nlohmann::json::parse(run.out);
  CHECK(json["answer"] == "·animal");
  CHECK(json["replacements"]["tried"] == 19 * 1023);
  CHECK(json["replacements"]["all"] == 19 * 1023);
  CHECK(json["replacements"]["changing"] == 178);
  REQUIRE(!json["replacements"]["found"].empty());
  int held = 0;
  for (const auto& row : json["replacements"]["found"]) {
    CHECK(row["answer"] == "·duck");
    if (row["text"].is_null()) continue;
    const std::string changed = row["text"];
    if (changed.find('\'') != std::string::npos && changed.find('"') != std::string::npos) continue;
    const Run next = folder.run("generate --strategy greedy --tokens 1 --text \"" + changed + "\"");
    CHECK_THAT(next.out, ContainsSubstring("duck"));
    ++held;
  }
  CHECK(held > 0);
  for (const auto& size : json["heads"]["sizes"]) CHECK(size["tried"] <= size["all"]);
  CHECK_THAT(folder.run("flip --model letters --text 'abcd>' --all").out,
             ContainsSubstring("30 of 30 replacements"));
  for (const char* refused :
       {"--text The --to nothinglikethis", "--text The --token 9", "--source a --text b"}) {
    const Run failed = folder.run(std::string("flip ") + refused);
    INFO(refused << ": " << failed.error);
    CHECK(failed.status == 1);
    CHECK_THAT(failed.error, ContainsSubstring("glassformer: "));
  }
}
