#include "core/train/tasks/story_grammar.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

using namespace glassformer;

TEST_CASE("no rule is empty or lists an alternative twice") {
  for (const auto& [name, alternatives] : storyRules()) {
    INFO(name);
    CHECK_FALSE(alternatives.empty());
    CHECK(std::set(alternatives.begin(), alternatives.end()).size() == alternatives.size());
  }
}

TEST_CASE(
    "what can be too tired cannot be too wide: adjectives of animals and obstacles are different words") {
  const Rules& rules = storyRules();
  const auto& feelings = rules.at("feeling");
  const auto& traits = rules.at("trait");
  for (const std::string& obstacle : rules.at("obstacle"))
    for (const std::string& adjective : rules.at("adjective/" + obstacle)) {
      CHECK(std::find(feelings.begin(), feelings.end(), adjective) == feelings.end());
      CHECK(std::find(traits.begin(), traits.end(), adjective) == traits.end());
    }
}

TEST_CASE("every obstacle can be met by some verb, and every adjective has a consequence") {
  const Rules& rules = storyRules();
  for (const std::string& obstacle : rules.at("obstacle")) {
    CHECK(rules.contains("verb/" + obstacle));
    for (const std::string& adjective : rules.at("adjective/" + obstacle))
      CHECK(rules.contains("remedy/" + adjective));
  }
  for (const std::string& feeling : rules.at("feeling")) CHECK(rules.contains("remedy/" + feeling));
}
