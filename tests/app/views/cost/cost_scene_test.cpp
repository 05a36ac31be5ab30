#include "app/views/cost/cost_scene.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "tests/app/views/view_cases.h"

using namespace glassformer;

namespace {

Workspace lookingAtCost(const char* tokens) {
  Workspace workspace = initialWorkspace();
  workspace.view = "cost", workspace.settings.choices["cost.tokens"] = tokens;
  return workspace;
}

enum Kind { Attention, LinearAttention, Recurrence, Convolution, RunningState };

}  // namespace

TEST_CASE("the cost of mixing is counted and measured, for as many tokens as are chosen") {
  const auto snapshot = snapshotOf(lookingAtCost("256"));
  REQUIRE(snapshot->kept.measured);
  const TensorView tokens = (*snapshot->kept.measured)["cost.tokens"],
                   count = (*snapshot->kept.measured)["cost.multiply_adds"],
                   mixing = (*snapshot->kept.measured)["cost.mixing"],
                   seconds = (*snapshot->kept.measured)["cost.seconds"];
  REQUIRE(tokens.extent[0] == 5);
  const double D = snapshot->model->config->width;
  for (int i = 0; i < 5; ++i) {
    const double T = tokens(i);
    CHECK(T == 16 << i);
    const double logits = T * D;  // of the one entry of the block's vocabulary
    CHECK(count(Attention, i) == static_cast<float>(4 * T * D * D + D * T * (T + 1) + logits));
    CHECK(count(LinearAttention, i) == count(Attention, i));
    CHECK(count(Recurrence, i) == static_cast<float>(2 * T * D * D + (T - 1) * D * D + logits));
    CHECK(count(Convolution, i) == static_cast<float>(3 * T * D * D + logits));
    CHECK(mixing(Attention, i) == static_cast<float>(D * T * (T + 1)));
    CHECK(mixing(Recurrence, i) == static_cast<float>((T - 1) * D * D));
    CHECK(mixing(Convolution, i) == count(Convolution, i));
    const double H = snapshot->model->config->heads, K = D / H;
    CHECK(mixing(RunningState, i) == static_cast<float>(T * H * (2 * K * K + K)));
    CHECK(count(RunningState, i) == static_cast<float>(4 * T * D * D + T * H * (2 * K * K + K)));
    for (int kind = 0; kind < 5; ++kind) CHECK(seconds(kind, i) > 0);
  }
  CHECK(tokens.extent[0] < (*snapshotOf(lookingAtCost("512"))->kept.measured)["cost.tokens"].extent[0]);
}

TEST_CASE("attention begins to cost more where its curve crosses the other") {
  const auto snapshot = snapshotOf(lookingAtCost("256"));
  const double D = snapshot->model->config->width;
  const TensorView mixing = (*snapshot->kept.measured)["cost.mixing_crossing"],
                   block = (*snapshot->kept.measured)["cost.multiply_adds_crossing"];
  CHECK(std::isnan(mixing(Attention)));
  CHECK(std::isnan(mixing(LinearAttention)));        // the same, as patterns are written down
  CHECK(std::abs(mixing(Recurrence) - D) < 3);       // T (T + 1) D against (T - 1) D²
  CHECK(std::abs(mixing(Convolution) - 3 * D) < 3);  // against 3 T D²
  const double K = D / snapshot->model->config->heads;
  CHECK(std::abs(mixing(RunningState) - 2 * K) < 2);  // T (T + 1) D against T (2 K + 1) D
  CHECK(std::isnan(block(Recurrence)));               // four projections against two: from the start
}
