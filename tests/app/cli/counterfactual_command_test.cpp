#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/app/cli/program_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("flip finds what changes an answer, and what it says of a text is what the text gives",
          "[accuracy]") {
  const Folder folder;
  const std::string text =
      "The animal didn't cross the street because it was too tired. What was too tired? The";
  const Run run = folder.run("counterfactual --text \"" + text + "\" --target ' duck' --json --top 5");
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
    const Run next = folder.run("generate --strategy greedy --max-new-tokens 1 --text \"" + changed + "\"");
    CHECK_THAT(next.out, ContainsSubstring("duck"));
    ++held;
  }
  CHECK(held > 0);
  for (const auto& size : json["heads"]["sizes"]) CHECK(size["tried"] <= size["all"]);
  CHECK_THAT(folder.run("counterfactual --model letters --text 'abcd>' --all").out,
             ContainsSubstring("30 of 30 replacements"));
  for (const char* refused :
       {"--text The --target nothinglikethis", "--text The --token 9", "--source a --text b", "--head 9.0",
        "--head 0.0.0", "--head cross.0.0", "--head 2.0 --key 30", "--head 2.0 --token 30"}) {
    const Run failed = folder.run(std::string("flip ") + refused);
    INFO(refused << ": " << failed.error);
    CHECK(failed.status == 1);
    CHECK_THAT(failed.error, ContainsSubstring("glassformer: "));
  }
}

TEST_CASE("flip finds what makes a head look elsewhere, and what it says of a text is what the text gives",
          "[accuracy]") {
  const Folder folder;
  const std::string asked = "counterfactual --text 'The dog was too tired' --head L2H0 --token 4 ";
  const Run run = folder.run(asked + "--top 3 --json");
  INFO(run.error);
  REQUIRE(run.status == 0);
  const auto json = nlohmann::json::parse(run.out);
  CHECK(json["head"] == "L2H0");
  CHECK(json["position"] == 4);
  const int key = json["key"];
  REQUIRE(!json["replacements"]["found"].empty());
  int held = 0;
  for (const auto& row : json["replacements"]["found"]) {
    const int now = row["key"];
    CHECK(now != key);
    if (row["text"].is_null()) continue;
    const std::string changed = row["text"];
    if (changed.find('"') != std::string::npos) continue;
    // The text as it is written then, asked about the same cell.
    const Run again =
        folder.run("counterfactual --text \"" + changed + "\" --head 2.0 --token 4 --top 1 --json");
    REQUIRE(again.status == 0);
    const auto then = nlohmann::json::parse(again.out);
    CHECK(then["key"] == now);
    CHECK(then["answer"] == row["answer"]);
    ++held;
  }
  CHECK(held > 0);
  const Run already = folder.run(asked + "--key " + std::to_string(key));
  CHECK(already.status == 1);
  CHECK_THAT(already.error, ContainsSubstring("is the top key already"));
  const int towards = json["replacements"]["found"][0]["key"];
  const Run one = folder.run(asked + "--top 3 --json --key " + std::to_string(towards));
  const auto alone = nlohmann::json::parse(one.out);
  for (const auto& row : alone["replacements"]["found"]) CHECK(row["key"] == towards);
  CHECK(alone["replacements"]["changing"] <= json["replacements"]["changing"]);
  CHECK_THAT(folder.run(asked + "--top 1").out, ContainsSubstring("L2H0 attends to " + std::to_string(key)));
  // CSV has what JSON has: replacements, then sets of heads.
  const Run table = folder.run(asked + "--top 3 --csv");
  std::istringstream lines(tableOf(table.out));
  std::string line;
  std::getline(lines, line);
  CHECK(line ==
        "stream,position,token,by,heads_off,answer,key,old_before,old_after,new_before,new_after,text\r");
  for (const auto& row : json["replacements"]["found"]) {
    std::getline(lines, line);
    CHECK(line.starts_with("text," + row["position"].dump() + "," + row["token"].get<std::string>() + ","));
    CHECK_THAT(line, ContainsSubstring("," + row["key"].dump() + ","));
  }
  for (const auto& row : json["heads"]["found"]) {
    std::getline(lines, line);
    CHECK(line.starts_with(",,,," + row["off"][0].get<std::string>()));
  }
  CHECK(!std::getline(lines, line));
  CHECK(folder.run(asked + "--json --csv").status == 2);
  CHECK(folder.run("counterfactual --text The --key 0").status == 2);  // of which head?
  CHECK(folder.run(asked + "--target ' street'").status == 2);
}
