#include "core/io/trace_check.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "core/io/files.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;

namespace {

Trace traceOf(std::vector<float> scores) {
  Trace trace({1, 2});
  trace.add({"scores", "TS", "", ""}, Tensor({2, 2}, std::move(scores)));
  trace.add({"logits", "TV", "", ""}, Tensor({2, 1}, {3, 4}));
  return trace;
}

TraceCheck checked(const Trace& trace, const std::vector<NamedTensor>& dump) {
  const TemporaryFolder folder;
  REQUIRE(writeSafetensors(folder / "dump", dump));
  const auto stored = StoredTensors::open(folder / "dump");
  REQUIRE(stored);
  return *checkTrace(trace, *stored);
}

}  // namespace

TEST_CASE("errors are relative to the largest number, in the order of the pass, with their place") {
  const Tensor scores({1, 2, 2}, {1, 2, 3, 10}), logits({2, 1}, {3, 4});  // a batch of one
  const TraceCheck check =
      checked(traceOf({1, 2, 4, 10}), {{"logits", logits.view()}, {"scores", scores.view()}});
  REQUIRE(check.points.size() == 2);
  CHECK(check.points[0].name == "scores");
  CHECK(check.points[0].error == Catch::Approx(0.1));
  CHECK(cellWords(check.points[0]) == "scores[1, 0]");
  CHECK(check.points[0].ours == 4);
  CHECK(check.points[0].theirs == 3);
  CHECK(check.points[1].error == 0);
  CHECK(check.firstBeyond(0.05) == &check.points[0]);
  CHECK(check.firstBeyond(0.2) == nullptr);
}

TEST_CASE("masked scores agree however minus infinity is written, and NaN agrees with nothing") {
  const float infinite = std::numeric_limits<float>::infinity();
  const Tensor huge({2, 2}, {1, -1e9f, 3, 4}),
      broken({2, 2}, {1, 2, std::numeric_limits<float>::quiet_NaN(), 4});
  CHECK(checked(traceOf({1, -infinite, 3, 4}), {{"scores", huge.view()}}).firstBeyond(0) == nullptr);
  const TraceCheck check = checked(traceOf({1, 2, 3, 4}), {{"scores", broken.view()}});
  REQUIRE(check.firstBeyond(1e9));
  CHECK(cellWords(*check.firstBeyond(1e9)) == "scores[1, 0]");
  CHECK(
      checked(traceOf({1, 2, 3, 4}), {{"scores", huge.view()}}).firstBeyond(0.5));  // masked there, not here
}

TEST_CASE("a mask may be written as the least float16, or as any number that softmax makes 0 of") {
  const float infinite = std::numeric_limits<float>::infinity();
  for (const float mask : {-1e4f, -1e5f, -65504.0f, -infinite}) {
    INFO(mask);
    const Tensor theirs({2, 2}, {1, mask, 3, 4});
    CHECK(checked(traceOf({1, -infinite, 3, 4}), {{"scores", theirs.view()}}).firstBeyond(0) == nullptr);
  }
  const Tensor shown({2, 2}, {1, -100, 3, 4});
  CHECK(checked(traceOf({1, -infinite, 3, 4}), {{"scores", shown.view()}}).firstBeyond(0.5));
}

TEST_CASE("what cannot be compared is told") {
  const Tensor wide({2, 3}), other({1, 1});
  const TraceCheck check =
      checked(traceOf({1, 2, 3, 4}), {{"scores", wide.view()}, {"elsewhere", other.view()}});
  CHECK(check.points.empty());
  CHECK(check.unknown == std::vector<std::string>{"elsewhere"});
  REQUIRE(check.otherShape.size() == 1);
  CHECK(check.otherShape[0] == "scores is [2, 3], here [2, 2]");
}
