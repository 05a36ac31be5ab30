#include "app/views/training/answers_picture.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/app/views/plain_metrics.h"

using namespace glassformer;

TEST_CASE("a question that is too long keeps its gap, or its end, in sight") {
  const PlainMetrics metrics;
  const TextStyle style{FontFace::Mono, 10, {}};  // 6 pixels a letter
  CHECK(aroundQuestion(metrics, "The cat sat.", style, 100) == "The cat sat.");
  CHECK(aroundQuestion(metrics, "The cat sat on the mat and slept", style, 60) == "… slept");
  CHECK(aroundQuestion(metrics, "The old cat <|mask|> on the mat", style, 90) == "… cat <|mask|> on the mat");
}
