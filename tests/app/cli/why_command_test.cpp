#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/app/cli/program_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("why says what made a number, opened down to the weights, and its terms give the number") {
  const Folder folder;
  const std::string read = " --text 'The animal was too tired.'";
  const Run run = folder.run("why 'blocks.1.attn.hook_pattern[2, 5, 1]' --json --terms 3 --depth 3" + read);
  REQUIRE(run.status == 0);
  const auto json = nlohmann::json::parse(run.out);
  CHECK(json["number"] == "blocks.1.attn.hook_pattern[2, 5, 1]");
  CHECK(json["form"] == "softmax");
  CHECK(std::abs(json["value"].get<double>() - json["from_terms"].get<double>()) < 1e-5);
  REQUIRE(json["terms"].size() == 3);
  CHECK(json["others"]["count"] == 3);  // six keys may be looked at
  CHECK_FALSE(json["others"].contains("sum"));
  // Its score, and what made that: a query times a key, summed over the head's dimensions.
  const auto& score = json["terms"][0]["factors"][0];
  CHECK(score["number"].get<std::string>().starts_with("blocks.1.attn.hook_attn_scores"));
  REQUIRE(score.contains("terms"));
  CHECK(std::abs(score["value"].get<double>() - score["from_terms"].get<double>()) < 1e-4);
  const Run words = folder.run("why 'blocks.0.attn.hook_q[1, 0, 3]'" + read);
  CHECK(words.status == 0);
  CHECK_THAT(words.out, ContainsSubstring("(weight)") && ContainsSubstring("others"));
  for (const auto& [wrong, says] : {std::pair("'logits'", "names no number"),
                                    {"'logits[1,x]'", "names no number"},
                                    {"'nosuch[1]'", "the pass has no"},
                                    {"'logits[1]'", "2 dimensions"},
                                    {"'logits[99, 1]'", "outside"}})
    CHECK_THAT(folder.run("why " + std::string(wrong) + read).error, ContainsSubstring(says));
}
