// Planes of attention against what their definitions say, worked out the slow way on a small model.
#include "core/lens/attention_plane.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/lens/pattern_overview.h"
#include "core/lens/value_norms.h"
#include "core/model/initialization.h"
#include "core/model/live_pass.h"
#include "tests/core/model/family_members.h"

using namespace glassformer;
using Catch::Approx;

namespace {

constexpr int T = 6;

struct PlaneFixture {
  ModelConfig config{
      .layers = 2, .heads = 2, .width = 16, .feedForward = 32, .vocabulary = 30, .context = 256};
  std::shared_ptr<const Transformer> model;
  std::shared_ptr<const Trace> trace;

  PlaneFixture() : PlaneFixture({3, 1, 4, 1, 5, 9}) {}
  explicit PlaneFixture(const std::vector<int>& tokens) {
    Parameters parameters(parameterSpecs(config));
    initialize(config, parameters, {}, 5);
    model = std::make_shared<const Transformer>(config, std::move(parameters));
    trace = LivePass(model).run(tokens);
  }
  TensorView pattern(HeadId head) const {
    return (*trace)["blocks." + std::to_string(head.layer) + ".attn.hook_pattern"][head.head];
  }
  TensorSet measured(const AttentionPlane& plane) const {
    TensorSet set;
    measureAttention(*model, *trace, plane, set);
    return set;
  }
};

AttentionPlane planeOf(AttentionQuantity quantity, std::vector<HeadId> heads, HeadFold fold = HeadFold::One) {
  AttentionPlane plane;
  plane.quantity = quantity, plane.heads = std::move(heads), plane.fold = fold;
  return plane;
}

// ‖A[t,s] · v_s · W_O‖ of a head, term by term.
double movedSlowly(const PlaneFixture& f, HeadId head, int t, int s) {
  const std::string layer = std::to_string(head.layer);
  const TensorView v = (*f.trace)["blocks." + layer + ".attn.hook_v"];
  const TensorView output = f.model->parameters()["h." + layer + ".attn.c_proj.weight"];
  const int K = f.config.headWidth();
  double square = 0;
  for (int d = 0; d < f.config.width; ++d) {
    double sum = 0;
    for (int k = 0; k < K; ++k) sum += static_cast<double>(v(s, head.head, k)) * output(head.head * K + k, d);
    square += std::pow(f.pattern(head)(t, s) * sum, 2);
  }
  return std::sqrt(square);
}

}  // namespace

TEST_CASE("what a head moves is the length of A · v · W_O") {
  const PlaneFixture f;
  const HeadId head{1, 1};
  const auto set = f.measured(planeOf(AttentionQuantity::ValueWeighted, {head}));
  const TensorView moved = set["lens.moved.L1H1"];
  for (int t = 0; t < T; ++t)
    for (int s = 0; s < T; ++s)
      CHECK(moved(t, s) == Approx(movedSlowly(f, head, t, s)).epsilon(1e-4).margin(1e-7));
  const Tensor norms = valueNorms(*f.model, *f.trace, {1, 1});
  for (int s = 0; s < T; ++s) {
    CHECK(norms(s) > 0);
    CHECK(set["lens.value_norm.L1H1"](s) == norms(s));
    CHECK(moved(5, s) == Approx(f.pattern(head)(5, s) * norms(s)).epsilon(1e-5));
  }
}

TEST_CASE("average and maximum are over the heads that are asked for") {
  const PlaneFixture f;
  const std::vector<HeadId> heads{{0, 0}, {0, 1}, {1, 0}};
  const auto mean = f.measured(planeOf(AttentionQuantity::Pattern, heads, HeadFold::Average));
  const auto most = f.measured(planeOf(AttentionQuantity::Pattern, heads, HeadFold::Maximum));
  for (int t = 0; t < T; ++t)
    for (int s = 0; s < T; ++s) {
      const float a = f.pattern(heads[0])(t, s), b = f.pattern(heads[1])(t, s), c = f.pattern(heads[2])(t, s);
      CHECK(mean["lens.pattern.average.L0H0-1+L1H0"](t, s) == Approx((a + b + c) / 3).epsilon(1e-5));
      CHECK(most["lens.pattern.maximum.L0H0-1+L1H0"](t, s) == std::max({a, b, c}));
    }
}

TEST_CASE("a difference is the first head minus the second") {
  const PlaneFixture f;
  const auto set =
      f.measured(planeOf(AttentionQuantity::ValueWeighted, {{1, 0}, {0, 1}}, HeadFold::Difference));
  const TensorView difference = set["lens.moved.difference.L1H0.L0H1"];
  CHECK(difference(4, 2) ==
        Approx(movedSlowly(f, {1, 0}, 4, 2) - movedSlowly(f, {0, 1}, 4, 2)).epsilon(1e-3).margin(1e-6));
  CHECK(difference(2, 4) == 0);
}

TEST_CASE("surplus is the share of what is moved minus the share of attention") {
  const PlaneFixture f;
  const auto set = f.measured(planeOf(AttentionQuantity::ValueWeightedExcess, {{0, 1}}));
  const TensorView surplus = set["lens.surplus.L0H1"];
  double all = 0, sum = 0;
  for (int s = 0; s < T; ++s) all += movedSlowly(f, {0, 1}, 5, s), sum += surplus(5, s);
  CHECK(surplus(5, 3) ==
        Approx(movedSlowly(f, {0, 1}, 5, 3) / all - f.pattern({0, 1})(5, 3)).epsilon(1e-3).margin(1e-5));
  CHECK(sum == Approx(0).margin(1e-5));
}

TEST_CASE("a normalized row has 1 at its largest number") {
  const PlaneFixture f;
  AttentionPlane plane = planeOf(AttentionQuantity::Pattern, {{1, 1}});
  plane.normalized = true;
  const auto set = f.measured(plane);
  const TensorView rows = set["lens.pattern.L1H1.normalized"], raw = f.pattern({1, 1});
  for (int t = 0; t < T; ++t) {
    float largest = 0, found = 0;
    for (int s = 0; s < T; ++s) largest = std::max(largest, raw(t, s)), found = std::max(found, rows(t, s));
    CHECK(found == 1);
    CHECK(rows(t, 0) == Approx(raw(t, 0) / largest));
  }
}

TEST_CASE("ordered rows are the plane's rows, most focused or most for a key first") {
  const PlaneFixture f;
  const TensorView raw = f.pattern({1, 0});
  for (const RowOrder order : {RowOrder::Focus, RowOrder::Key}) {
    AttentionPlane plane = planeOf(AttentionQuantity::Pattern, {{1, 0}});
    plane.order = order, plane.key = 2;
    const auto set = f.measured(plane);
    const std::string name =
        order == RowOrder::Focus ? "lens.pattern.L1H0.by_focus" : "lens.pattern.L1H0.by_key_2";
    REQUIRE(tensorOf(plane) == name);
    const TensorView sorted = set[name], rows = set[name + ".rows"];
    float before = 2, counted = 0;
    for (int row = 0; row < T; ++row) {
      const int t = static_cast<int>(rows(row));
      float rank = raw(t, 2);
      for (int s = 0; s < T; ++s) {
        if (order == RowOrder::Focus) rank = std::max(rank, raw(t, s));
        if (s <= t)
          CHECK(sorted(row, s) == raw(t, s));
        else
          CHECK(std::isinf(sorted(row, s)));
      }
      CHECK(rank <= before);
      before = rank, counted += rows(row);
    }
    CHECK(counted == 15);  // 0 + 1 + ... + 5: every query once
  }
}

TEST_CASE("a plane of the trace is not measured again") {
  const PlaneFixture f;
  const AttentionPlane plane = planeOf(AttentionQuantity::Masked, {{1, 0}});
  CHECK(isTraced(plane));
  CHECK(tensorOf(plane) == "blocks.1.attn.hook_attn_scores");
  CHECK(f.measured(plane).count() == 0);
}

TEST_CASE("heads are named in as few words as possible") {
  CHECK(nameOf(HeadId{2, 11}) == "L2H11");
  CHECK(nameOf(std::vector<HeadId>{{0, 1}, {2, 0}}) == "L0H1+L2H0");
  CHECK(nameOf(std::vector<HeadId>{{1, 0}, {1, 1}, {1, 3}}) == "L1H0-1,3");
  CHECK(nameOf(std::vector<HeadId>{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}}) == "L0-1H0-1+L2H0");
}

TEST_CASE("the overview of a long text keeps the largest share of every square") {
  std::vector<int> tokens;
  for (int i = 0; i < 200; ++i) tokens.push_back(i * 7 % 30);
  const PlaneFixture f(tokens);
  TensorSet set;
  measurePatternOverview(*f.trace, f.config, set);
  const TensorView overview = set["lens.pattern_overview"];
  REQUIRE(overview.extent[2] == 67);  // every 3 tokens
  for (const auto& [g, h] : {std::pair{66, 0}, std::pair{30, 29}, std::pair{30, 30}, std::pair{10, 40}}) {
    float largest = 0;
    for (int t = 3 * g; t < std::min(200, 3 * g + 3); ++t)
      for (int s = 3 * h; s < std::min(200, 3 * h + 3); ++s)
        largest = std::max(largest, f.pattern({1, 1})(t, s));
    CHECK(overview(1, 1, g, h) == largest);
  }
  TensorSet anew;  // patterns that are not kept: made while it looks at them
  measurePatternOverview(*LivePass(f.model, 2, 0).run(tokens), f.config, anew);
  CHECK(sameBits(anew["lens.pattern_overview"], overview));
  TensorSet none;
  measurePatternOverview(*PlaneFixture().trace, f.config, none);
  CHECK(none.count() == 0);
}

TEST_CASE("the equation over a plane of scores is what this config computes") {
  const auto equation = [](const char* choice, const char* option, AttentionQuantity quantity) {
    ModelConfig config = smallConfig();
    REQUIRE(setField(config, choice, option));
    const auto model = makeModel(config);
    TensorSet set;
    AttentionPlane plane = planeOf(quantity, {{0, 1}});
    plane.order = RowOrder::Focus;  // in text order what is masked is the trace's own
    measureAttention(*model, *LivePass(model, 1).run(randomTokens(6, 2)), plane, set);
    return set.point(set.find(tensorOf(plane))).equation;
  };
  const auto scores = [&](const char* choice, const char* option) {
    return equation(choice, option, AttentionQuantity::Scores);
  };
  CHECK(scores("scale_attn_weights", "yes") == "s = q · kᵀ / √K");
  CHECK(scores("scale_attn_weights", "no") == "s = q · kᵀ");
  CHECK(scores("attention_kernel", "distance") == "s = b[s − t]");
  CHECK(scores("attention_kernel", "linear") == "s = q_φ · k_φᵀ");
  CHECK(scores("position_embedding_type", "alibi") == "s = q · kᵀ / √K − m |t − s|");
  CHECK(scores("position_embedding_type", "relative") == "s = q · kᵀ / √K + q · a[clip(s − t)]ᵀ / √K");
  CHECK(scores("position_embedding_type", "bucketed") == "s = q · kᵀ / √K + b[bucket(s − t)]");
  CHECK(scores("position_embedding_type", "rotary") == "s = q_R · k_Rᵀ / √K");
  CHECK(equation("position_embedding_type", "relative", AttentionQuantity::Masked) ==
        "s = mask(q · kᵀ / √K + q · a[clip(s − t)]ᵀ / √K)");
  CHECK(equation("attention_kernel", "linear", AttentionQuantity::Pattern) == "A = mask(s) / Σ mask(s)");
}
