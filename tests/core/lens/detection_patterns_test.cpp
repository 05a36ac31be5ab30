// Where heads may look, on texts and patterns small enough to be worked out by hand.
#include "core/lens/detection_patterns.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "core/lens/rule_scores.h"

using namespace glassformer;
using Catch::Approx;

namespace {

// What each rule says of the text A B A A.
const std::vector<int> readAgain{7, 8, 7, 7};

Trace patternTrace(std::vector<float> first, std::vector<float> second) {
  first.insert(first.end(), second.begin(), second.end());
  Trace trace({7, 8, 7});
  trace.add({"blocks.0.attn.hook_pattern", "HTS", "", ""}, Tensor({2, 3, 3}, std::move(first)));
  return trace;
}

}  // namespace

TEST_CASE("inside a text every hypothesis claims what its equation says") {
  const AttendedTokens tokens{readAgain, readAgain, false};
  const auto claims = [&](const char* id) { return claimsOf(detectionPattern(id), tokens); };
  CHECK(claims("previous") == ExpectedPattern{{}, {0}, {1}, {2}});
  CHECK(claims("induction") ==
        ExpectedPattern{{}, {}, {1}, {3}});  // behind the last time, be it the token itself
  CHECK(claims("duplicate") == ExpectedPattern{{}, {}, {0}, {0, 2}});
  CHECK(claims("first") == ExpectedPattern{{}, {0}, {0}, {0}});
  CHECK(claims("itself") == ExpectedPattern{{}, {1}, {2}, {3}});
}

TEST_CASE("across all of the source is earlier, and nothing is claimed beyond it") {
  const std::vector<int> source{8, 7, 8};
  const AttendedTokens tokens{readAgain, source, true};
  const auto claims = [&](const char* id) { return claimsOf(detectionPattern(id), tokens); };
  CHECK(claims("previous") == ExpectedPattern{{}, {0}, {1}, {2}});
  CHECK(claims("induction") == ExpectedPattern{{2}, {}, {2}, {2}});
  CHECK(claims("duplicate") == ExpectedPattern{{1}, {0, 2}, {1}, {1}});
  CHECK(claims("first") == ExpectedPattern{{0}, {0}, {0}, {0}});
  CHECK(claims("itself") == ExpectedPattern{{0}, {1}, {2}, {}});
}

TEST_CASE("a score is the mean over the rows that claim something") {
  const Tensor pattern({1, 3, 3}, {1, 0, 0, 0.75f, 0.25f, 0, 0.5f, 0.125f, 0.375f});
  CHECK(claimedAttention(pattern.view(), {{}, {0}, {0, 2}}) == std::vector{(0.75 + 0.875) / 2});
  CHECK(claimsAnything({{}, {0}}));
  CHECK_FALSE(claimsAnything({{}, {}}));
}

TEST_CASE("heads are ranked by what a hypothesis names, on average over texts, with its spread") {
  const ModelConfig config{.layers = 1, .heads = 2, .width = 4, .vocabulary = 9};
  const auto written = [](int id) { return std::to_string(id); };
  RuleScores scores(*AttentionRule::read("previous"), config);
  CHECK(scores.ranked(&Agreement::named).empty());
  const auto add = [&](const Trace& trace, int text) {
    scores.add(trace, lookedOverBy({written}, config, trace), text);
  };
  add(patternTrace({1, 0, 0, 0.25f, 0.75f, 0, 0, 0.25f, 0.75f}, {1, 0, 0, 1, 0, 0, 0, 0.5f, 0.5f}), 0);
  add(patternTrace({1, 0, 0, 0.5f, 0.5f, 0, 0, 0.5f, 0.5f}, {1, 0, 0, 1, 0, 0, 0, 1, 0}), 1);
  // 0.25, 0.5 of head 0; 0.75, 1 of head 1.
  const std::vector<HeadId> previous = scores.ranked(&Agreement::named);
  REQUIRE(previous.size() == 2);
  CHECK(nameOf(previous[0]) == "L0H1");
  CHECK(scores.of(previous[0]).named().mean() == Approx(0.875));
  CHECK(scores.of(previous[0]).named().deviation() == Approx(std::sqrt(0.03125)));
  CHECK(scores.of(previous[0]).named().texts() == 2);
  CHECK(nameOf(previous[1]) == "L0H0");
  CHECK(scores.of(previous[1]).named().mean() == Approx(0.375));
}
