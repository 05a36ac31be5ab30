#include "core/model/live_pass.h"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/model/initialization.h"
#include "core/model/positional/none.h"
#include "core/model/positional/sinusoidal.h"
#include "core/random.h"
#include "core/tensor/kernels.h"
#include "tests/core/model/family_members.h"
#include "tests/sanitized.h"

using namespace glassformer;

namespace {

std::shared_ptr<const Transformer> smallModel(ModelConfig config = {}) {
  config.layers = 2, config.heads = 4, config.width = 32, config.feedForward = 64, config.vocabulary = 50,
  config.context = 80;
  Parameters parameters(parameterSpecs(config));
  initialize(config, parameters, {}, 7);
  return std::make_shared<const Transformer>(config, std::move(parameters));
}

}  // namespace

TEST_CASE("where workers share the columns of large weights, every bit is as one of them has it") {
  ModelConfig config{2, 4, 256, 1100, 1100, 320};  // 256 x 768, 256 x 1100 and 1100 x 256 weights
  for (const bool tied : {true, false}) {
    config.tiedUnembedding = tied;
    const auto model = makeModel(config);
    const MatrixProduct ofOwn{.rows = 20, .columns = 1100, .depth = 256, .bRow = 1100, .bColumn = 1};
    REQUIRE(kernels().rowsPerCopy(ofOwn) > 20);
    REQUIRE(kernels().rowsPerCopy({.rows = 1, .columns = 1100, .depth = 256, .bRow = 1100}) == 0);
    LivePass alone(model, 1), two(model, 2), three(model, 3), sparing(model, 2, noRoom);
    std::vector<int> tokens = randomTokens(300, 5);
    for (const int changed : {0, 60, 170, 250, 276, 290}) {  // 300 rows, and ever fewer
      CAPTURE(tied, changed);
      tokens[static_cast<std::size_t>(changed)] = changed;
      const auto one = alone.run(tokens);
      CHECK(sameBits(*two.run(tokens), *one));
      CHECK(sameBits(*three.run(tokens), *one));
      CHECK(sameBits(*sparing.run(tokens), *one));
    }
  }
}

TEST_CASE("after any edit, reusing rows gives the same bits as a full pass") {
  const auto model = smallModel();
  LivePass live(model, 2), sparing(model, 2, noRoom);
  Random random(1);
  std::vector<int> tokens = drawnTokens(random, 30);
  std::shared_ptr<const Trace> held;  // a reader that keeps one trace while later ones are made
  int reused = 0;
  for (int edit = 0; edit < 60; ++edit) {
    const int n = static_cast<int>(tokens.size());
    const int place = edit % 3 == 0 ? 0 : edit % 3 == 1 ? random.below(n) : n - 1;
    const int kind = random.below(3);
    if (kind == 0 && n < 80) tokens.insert(tokens.begin() + place, random.below(50));
    if (kind == 1 && n > 1) tokens.erase(tokens.begin() + place);
    if (kind == 2) tokens[static_cast<std::size_t>(place)] = random.below(50);
    const auto trace = live.run(tokens);
    reused += live.rowsReused();
    LivePass fresh(model, 1);
    REQUIRE(sameBits(*trace, *fresh.run(tokens)));
    REQUIRE(sameBits(*trace, *sparing.run(tokens)));
    if (edit % 4 == 0) held = trace;
  }
  CHECK(reused > 100);
}

TEST_CASE("an intervention is computed from where it acts on, with the same bits as a full pass") {
  for (const Mixing mixing : {Mixing::Attention, Mixing::Recurrence, Mixing::Convolution})
    for (const Stack stack : {Stack::DecoderOnly, Stack::EncoderDecoder}) {
      if (stack == Stack::EncoderDecoder && mixing != Mixing::Attention) continue;
      ModelConfig config;
      config.mixing = mixing, config.stack = stack;
      const auto model = smallModel(config);
      LivePass live(model, 2), sparing(model, 2, noRoom);
      Random random(2);
      const auto tokens = drawnTokens(random, 20);
      const auto source = drawnTokens(random, config.isEncoderDecoder() ? 9 : 0);
      const auto names = live.run(tokens, {}, source);
      int left = 0, runs = 0;
      for (int step = 0; step < 120; ++step) {
        Interventions changes;
        for (int i = random.below(3); i > 0; --i) {
          const TracePoint& point = names->point(random.below(names->count()));
          const int first = step % 2 ? random.below(4) : Intervention::every;
          changes.push_back({point.name,
                             random.below(2) ? InterventionKind::Zero : InterventionKind::Scale,
                             {first, -1, -1, -1},
                             0.5f});
          if (step % 7 == 0) changes.back().kind = InterventionKind::Add;  // masked cells too
        }
        const auto trace = live.run(tokens, changes, source);
        left += live.operationsReused(), ++runs;
        REQUIRE(sameBits(*trace, *LivePass(model, 1).run(tokens, changes, source)));
        REQUIRE(sameBits(*trace, *sparing.run(tokens, changes, source)));
      }
      CHECK(left > 5 * runs);
    }
}

namespace {

// Of any kind, at any point: a part of it or all, a number or a whole tensor.
Intervention drawnIntervention(const Trace& trace, Random& random) {
  const int at = random.below(trace.count());
  Intervention drawn{trace.point(at).name, static_cast<InterventionKind>(random.below(5))};
  const TensorView view = trace.tensor(at);
  for (std::size_t i = 0; i < static_cast<std::size_t>(view.rank); ++i)
    if (random.below(2)) drawn.index[i] = random.below(view.extent[i]);
  drawn.value = 0.25f * static_cast<float>(random.below(9) - 4);
  const bool takesTensor = drawn.kind == InterventionKind::Add || drawn.kind == InterventionKind::Replace;
  if (!takesTensor || random.below(3)) return drawn;
  std::vector<float> values = view.copy();
  for (float& value : values) value = static_cast<float>(random.normal());
  drawn.tensor = std::make_shared<const Tensor>(
      std::vector<int>(view.extent.begin(), view.extent.begin() + view.rank), std::move(values));
  return drawn;
}

}  // namespace

TEST_CASE("whatever is changed in whatever member of the family, the bits are those of a full pass",
          "[bits]") {
  int members = 0, restarted = 0, runs = 0;
  forEachMember([&](const ModelConfig& config) {
    const auto model = makeModel(config);
    LivePass live(model, 2), sparing(model, 2, noRoom);
    Random random(static_cast<std::uint64_t>(++members));
    std::vector<int> tokens = randomTokens(13, 3);
    const auto source = randomTokens(config.isEncoderDecoder() ? 7 : 0, 4);
    const auto points = live.run(tokens, {}, source);
    Interventions changes;
    std::shared_ptr<const Trace> held;
    for (int step = 0; step < (isSanitized ? 8 : 16); ++step) {
      if (!changes.empty() && random.below(3) == 0)
        changes.erase(changes.begin() + random.below(static_cast<int>(changes.size())));
      else if (!changes.empty() && random.below(3) == 0)
        changes.back().value += 0.5f;
      else
        changes.push_back(drawnIntervention(*points, random));
      if (step % 6 == 5) tokens[static_cast<std::size_t>(random.below(13))] = random.below(40);
      const auto trace = live.run(tokens, changes, source);
      restarted += live.operationsReused() > 0, ++runs;
      INFO("step " << step << ", the last of " << changes.size() << " interventions at "
                   << (changes.empty() ? "" : changes.back().point));
      REQUIRE(sameBits(*trace, *LivePass(model, 1).run(tokens, changes, source)));
      REQUIRE(sameBits(*trace, *sparing.run(tokens, changes, source)));
      if (step % 4 == 0) held = trace;
    }
  });
  CHECK(members > 50);
  CHECK(restarted > runs / 2);
}

TEST_CASE("a cell of a pattern that is dragged, to a later token too, leaves what comes before it alone") {
  LivePass live(smallModel(), 1);
  const std::vector tokens{1, 2, 3, 4, 5, 6};
  live.run(tokens);
  const auto drag = [&](int key, float value) {
    live.run(tokens, {{"blocks.1.attn.hook_pattern", InterventionKind::Replace, {0, 2, key}, value}});
    return live.operationsReused();
  };
  live.run(tokens, {{"blocks.1.attn.hook_pattern", InterventionKind::Zero, {0, -1, -1, -1}}});
  const int before = live.operationsReused();
  REQUIRE(before > 0);
  for (const float value : {0.1f, 0.5f, 0.9f}) {
    CHECK(drag(1, value) == before);
    CHECK(drag(4, value) == before);
  }
  live.run(tokens);
  CHECK(live.operationsReused() == before);
}

TEST_CASE("what is changed in the last block leaves the blocks before it alone") {
  LivePass live(smallModel(), 1);
  const std::vector tokens{1, 2, 3, 4, 5, 6};
  live.run(tokens);
  live.run(tokens, {{"blocks.1.attn.hook_pattern", InterventionKind::Zero, {0, -1, -1, -1}}});
  const int inLast = live.operationsReused();
  live.run(tokens, {{"blocks.0.attn.hook_pattern", InterventionKind::Zero, {0, -1, -1, -1}}});
  CHECK(live.operationsReused() > 0);  // the embedding and the first queries, keys and values
  CHECK(inLast > 2 * live.operationsReused());
  live.run(std::vector{1, 2, 3, 4, 5, 7}, {{"logits", InterventionKind::Zero}});
  CHECK(live.operationsReused() == 0);
}

TEST_CASE("a held trace does not change while later passes run") {
  LivePass live(smallModel());
  const auto first = live.run(std::vector{1, 2, 3, 4});
  const auto before = first->operator[]("logits").copy();
  for (int i = 0; i < 5; ++i) live.run(std::vector{5, 6, 7, 8, i});
  CHECK(first->operator[]("logits").copy() == before);
}

TEST_CASE("passes share what their points are, and what is added to a copy of one is the copy's own") {
  LivePass live(smallModel(), 1);
  const auto first = live.run(std::vector{1, 2, 3}), second = live.run(std::vector{1, 2, 3, 4});
  CHECK(&first->point(0) == &second->point(0));
  Trace copy = *second;
  copy.add({"own", "1", "what only the copy has", ""}, Tensor({1}, {5}));
  CHECK(copy["own"](0) == 5);
  CHECK(copy.count() == second->count() + 1);
  CHECK_FALSE(first->contains("own"));
  CHECK_FALSE(second->contains("own"));
  CHECK(sameBits(*live.run(std::vector{1, 2, 3}), *first));
}

TEST_CASE("a pass has the same bits whatever the number of threads") {
  const auto model = smallModel();
  Random random(3);
  for (const int count : {1, 3, 17, 40, 80}) {
    const auto tokens = drawnTokens(random, count);
    LivePass one(model, 1), two(model, 2), five(model, 5);
    const auto reference = one.run(tokens);
    CHECK(sameBits(*two.run(tokens), *reference));
    CHECK(sameBits(*five.run(tokens), *reference));
  }
}

TEST_CASE("every point of a trace has the shape that its letters say") {
  LivePass live(smallModel());
  const auto trace = live.run(std::vector{1, 2, 3, 4, 5});
  for (int i = 0; i < trace->count(); ++i) {
    const TensorView view = trace->tensor(i);
    std::vector<int> expected;
    for (const char letter : trace->point(i).letters)
      expected.push_back(letter == 'T' || letter == 'S' ? 5
                         : letter == 'D'                ? 32
                         : letter == 'H'                ? 4
                         : letter == 'K'                ? 8
                         : letter == 'F'                ? 64
                         : letter == 'V'                ? 50
                                                        : 1);
    CHECK(std::vector<int>(view.extent.begin(), view.extent.begin() + view.rank) == expected);
  }
}

TEST_CASE("every row of every pattern sums to one and sees no later token") {
  LivePass live(smallModel());
  Random random(4);
  const auto trace = live.run(drawnTokens(random, 70));
  for (const char* name : {"blocks.0.attn.hook_pattern", "blocks.1.attn.hook_pattern"}) {
    const TensorView pattern = (*trace)[name];
    for (int h = 0; h < 4; ++h)
      for (int t = 0; t < 70; ++t) {
        double sum = 0;
        for (int s = 0; s < 70; ++s) sum += pattern(h, t, s);
        CHECK(std::abs(sum - 1) < 1e-5);
        for (int s = t + 1; s < 70; ++s) REQUIRE(pattern(h, t, s) == 0);
      }
  }
}

TEST_CASE("interventions change their point and everything after it, and nothing before") {
  LivePass live(smallModel());
  const std::vector tokens{1, 2, 3, 4, 5, 6};
  const auto plain = live.run(tokens);
  const auto check = [&](const Intervention& intervention, auto expected, float most = 0) {
    const auto changed = live.run(tokens, {intervention});
    const int at = changed->find(intervention.point);
    for (int i = 0; i < at; ++i) {
      const bool fused = changed->point(i).name.ends_with("hook_scale");
      if (!fused) CHECK(changed->tensor(i).copy() == plain->tensor(i).copy());
    }
    const TensorView before = plain->tensor(at), after = changed->tensor(at);
    after.forEach([&](const auto& index, float value) {
      REQUIRE(std::abs(value - expected(index, before.at(index))) <= most);
    });
    CHECK((*changed)["logits"].copy() != (*plain)["logits"].copy());
  };
  check({"blocks.0.attn.hook_z", InterventionKind::Zero, {-1, 2, -1}},
        [](const auto& i, float v) { return i[1] == 2 ? 0 : v; });
  check({"blocks.0.attn.hook_v", InterventionKind::Scale, {3, 1, -1}, 2.f},
        [](const auto& i, float v) { return i[0] == 3 && i[1] == 1 ? 2 * v : v; });
  check({"blocks.1.hook_mlp_out", InterventionKind::Add, {5, 7}, 1.5f},
        [](const auto& i, float v) { return i[0] == 5 && i[1] == 7 ? v + 1.5f : v; });
  // Where a pattern is changed all rows are as long as the text, and so summed in another order.
  const float rounding = 1e-6f;
  check(
      {"blocks.1.attn.hook_pattern", InterventionKind::Replace, {0, 4, 2}, 0.75f},
      [](const auto& i, float v) { return i[0] == 0 && i[1] == 4 && i[2] == 2 ? 0.75f : v; }, rounding);
  check(
      {"blocks.0.attn.hook_pattern", InterventionKind::Replace, {1, 2, 5}, 0.5f},  // attends to the future
      [](const auto& i, float v) { return i[0] == 1 && i[1] == 2 && i[2] == 5 ? 0.5f : v; }, rounding);
  auto replacement = std::make_shared<Tensor>(Tensor({6, 32}));
  for (float& v : replacement->values()) v = 0.25f;
  check({"blocks.0.hook_resid_mid", InterventionKind::Replace, {-1, -1, -1, -1}, 0, replacement},
        [](const auto&, float) { return 0.25f; });
  CHECK(sameBits(*live.run(tokens), *plain));  // and nothing of it stays
}

TEST_CASE("without positions' help order is invisible: sinusoidal and learned tables both enter the sum") {
  ModelConfig config;
  config.positions = &sinusoidalPositions();
  LivePass live(smallModel(config));
  const auto trace = live.run(std::vector{9, 9, 9});
  const TensorView p = (*trace)["hook_pos_embed"];
  CHECK(std::abs(p(2, 0) - std::sin(2.0)) < 1e-6);
  CHECK(std::abs(p(2, 3) - std::cos(2.0 / std::pow(10000.0, 2.0 / 32))) < 1e-6);
  const TensorView x = (*trace)["blocks.0.hook_resid_pre"], e = (*trace)["hook_embed"];
  CHECK(x(2, 5) == e(2, 5) + p(2, 5));
}
