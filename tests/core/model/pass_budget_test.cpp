// What passes keep within their budget, and what is made anew beyond it.
#include "core/model/pass_budget.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/decode/next_token.h"
#include "core/model/initialization.h"
#include "core/model/live_pass.h"
#include "core/model/memory_need.h"
#include "core/model/positional/none.h"
#include "core/random.h"
#include "tests/core/model/family_members.h"

#ifdef __linux__
#include <malloc.h>
#endif

using namespace glassformer;

TEST_CASE("a text that outgrows its memory keeps its rows, and has the bits of a full pass") {
  for (const Stack stack : {Stack::DecoderOnly, Stack::EncoderDecoder}) {
    ModelConfig config{
        .layers = 2, .heads = 4, .width = 32, .feedForward = 64, .vocabulary = 50, .context = 300};
    config.stack = stack;
    Parameters parameters(parameterSpecs(config));
    initialize(config, parameters, {}, 7);
    const auto model = std::make_shared<const Transformer>(config, std::move(parameters));
    LivePass live(model, 2), sparing(model, 2, noBudget);
    Random random(3);
    const std::vector<int> source = drawnTokens(random, config.isEncoderDecoder() ? 20 : 0);
    std::vector<int> tokens = drawnTokens(random, 61);
    std::shared_ptr<const Trace> held = live.run(tokens, {}, source);
    while (tokens.size() < 132) {
      tokens.push_back(random.below(50));
      const auto trace = live.run(tokens, {}, source);
      REQUIRE(live.rowsReused() >= static_cast<int>(tokens.size()) - 2);  // what is held is not written over
      const auto evicted = sparing.run(tokens, {}, source);  // most of these have no scores to take over
      if (tokens.size() % 13 == 0) {
        REQUIRE(sameBits(*trace, *LivePass(model, 1).run(tokens, {}, source)));
        REQUIRE(sameBits(*trace, *evicted));
      }
      held = trace;
    }
  }
}

namespace {

std::shared_ptr<const Transformer> modelOfManyScores() {
  ModelConfig config{
      .layers = 6, .heads = 8, .width = 32, .feedForward = 64, .vocabulary = 50, .context = 512};
  Parameters parameters(parameterSpecs(config));
  initialize(config, parameters, {}, 7);
  return std::make_shared<const Transformer>(config, std::move(parameters));
}
constexpr const char* lastScores = "blocks.5.attn.hook_attn_scores";
constexpr const char* lastPattern = "blocks.5.attn.hook_pattern";

#ifdef __linux__
double bytesHeld() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("RssAnon:")) return std::stod(line.substr(line.find_first_of("0123456789"))) * 1024;
  return 0;
}
#endif

}  // namespace

TEST_CASE("whatever the member of the family, decoding beyond the budget gives the bits of full passes",
          "[family]") {
  forEachMember([](const ModelConfig& config) {
    const auto model = makeModel(config);
    LivePass live(model, 1), sparing(model, 2, noBudget);
    Random random(11);
    const auto drawn = [&](int count) {
      std::vector<int> tokens;
      for (int i = 0; i < count; ++i) tokens.push_back(random.below(config.vocabulary));
      return tokens;
    };
    const std::vector<int> source = drawn(config.isEncoderDecoder() ? 7 : 0);
    std::vector<int> tokens = drawn(std::min(9, config.context - 4));
    for (int i = 0; i < 4; ++i, tokens.push_back(random.below(config.vocabulary))) {
      const int rows = i == 3 ? 3 : 1, count = static_cast<int>(tokens.size());
      const auto whole = live.run(tokens, {}, source), last = sparing.runLast(rows, tokens, {}, source);
      for (int t = count - rows; t < count; ++t)
        REQUIRE((*whole)["logits"][t].copy() == (*last)["logits"][t].copy());
    }
  });
}

TEST_CASE("a pass that is looked at is handed out again, not computed anew, until its budget changes") {
  const auto model = modelOfManyScores();
  const std::vector<int> tokens{4, 8, 15, 16, 23, 42};
  LivePass live(model, 2);
  setPassBudget(usualPassBudget);
  auto shown = live.run(tokens);
  CHECK(live.run(tokens) == shown);
  CHECK(live.rowsReused() == 6);
  CHECK(live.memory().kept == RetentionPolicy::Everything);
  setPassBudget(1e5);
  const auto sparing = live.run(tokens);
  setPassBudget(usualPassBudget);
  CHECK(sparing != shown);
  CHECK(live.memory().kept == RetentionPolicy::Tables);
  CHECK(sameBits(*shown, *sparing));
}

TEST_CASE("what made a number of a pattern names scores that were not kept, and reads them") {
  const auto model = modelOfManyScores();
  Random random(5);
  const auto tokens = drawnTokens(random, 300);
  const auto kept = LivePass(model).run(tokens), evicted = LivePass(model, 2, noBudget).run(tokens);
  const auto expected = kept->derive("blocks.5.attn.hook_pattern", {3, 290, 17}),
             made = evicted->derive("blocks.5.attn.hook_pattern", {3, 290, 17});
  REQUIRE(expected);
  REQUIRE(made);
  REQUIRE(made->terms.size() == expected->terms.size());
  for (std::size_t i = 0; i < made->terms.size(); ++i)
    REQUIRE(made->terms[i].value() == expected->terms[i].value());
  CHECK(evicted->locate(made->terms[17].factor)->index == std::array{3, 290, 17, 0});
}

TEST_CASE("beyond its budget a pass lets go of what nobody holds, but for one to compute the next in") {
  const auto model = modelOfManyScores();
  Random random(11);
  const Tape::Bytes pass = passBytes(model->config(), 1, 128);
  LivePass live(model, 2, noBudget), plenty(model, 2);
  for (LivePass* each : {&live, &plenty}) {
    std::vector<std::shared_ptr<const Trace>> shown;
    for (int i = 0; i < 4; ++i) shown.push_back(each->run(drawnTokens(random, 100)));
    CHECK(each->memory().bytes == 4 * pass.of(each->memory().kept));  // all of them are looked at
    shown.erase(shown.begin(), shown.end() - 1);
    const auto tokens = drawnTokens(random, 100);
    const auto last = each->run(tokens);
    const bool isSparing = each == &live;
    CHECK(each->memory().bytes == (isSparing ? 2 : 4) * pass.of(each->memory().kept));
    CHECK((*last)["logits"].copy() == (*LivePass(model, 1).run(tokens))["logits"].copy());
  }
}

TEST_CASE("beyond its budget a run waits for the pass before the last to be let go of, within its patience") {
  const auto model = modelOfManyScores();
  Random random(12);
  const double whole = passBytes(model->config(), 1, 128).of(RetentionPolicy::Tables);
  using namespace std::chrono_literals;
  for (const auto patience : {0ms, 20'000ms}) {
    LivePass live(model, 2, noBudget);
    live.beShown(patience);
    auto before = live.run(drawnTokens(random, 100));
    const auto shown = live.run(drawnTokens(random, 100));
    const std::jthread window([&before] {
      std::this_thread::sleep_for(100ms);
      before.reset();
    });
    const auto next = live.run(drawnTokens(random, 100));
    CHECK(live.memory().bytes == (patience > 0ms ? 2 : 3) * whole);
  }
}

TEST_CASE("where two passes are beyond the budget, only what is looked at stays once decoding follows") {
  const auto model = modelOfManyScores();
  Random random(13);
  const Tape::Bytes pass = passBytes(model->config(), 1, 128);
  for (const bool hasRoom : {false, true}) {
    LivePass live(model, 2, hasRoom ? 2 * pass.of(RetentionPolicy::Tables) : noBudget);
    live.run(drawnTokens(random, 100));
    auto before = live.run(drawnTokens(random, 100));
    const auto shown = live.run(drawnTokens(random, 100));
    before.reset();
    nextTokenLogits(live)(shown->tokens());
    CHECK(live.memory().bytes == (hasRoom ? 2 : 1) * pass.of(RetentionPolicy::Tables) + pass.laterRows);
  }
}

TEST_CASE(
    "decoding beyond the budget waits for the pass before to be let go of, and once only where it is not") {
  const auto model = modelOfManyScores();
  Random random(16);
  const Tape::Bytes pass = passBytes(model->config(), 1, 128);
  using namespace std::chrono_literals;
  const auto tokens = drawnTokens(random, 100);
  LivePass live(model, 2, noBudget);
  live.beShown(20'000ms);
  auto before = live.run(drawnTokens(random, 100));
  const auto shown = live.run(tokens);
  {
    const std::jthread window([&before] {
      std::this_thread::sleep_for(100ms);
      before.reset();
    });
    nextTokenLogits(live)(tokens);
  }
  CHECK(live.memory().bytes == pass.of(RetentionPolicy::Tables) + pass.laterRows);
  live.beShown(300ms);
  const auto pinned = live.run(drawnTokens(random, 100));
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < 12; ++i) nextTokenLogits(live)(tokens);
  CHECK(std::chrono::steady_clock::now() - began < 3'000ms);
  CHECK(live.memory().bytes == 2 * pass.of(RetentionPolicy::Tables) + pass.laterRows);
}

TEST_CASE("what passes that are shown take is no room for those beside them") {
  const auto model = modelOfManyScores();
  Random random(15);
  const auto tokens = drawnTokens(random, 100);
  const Tape::Bytes pass = passBytes(model->config(), 1, 128);
  setPassBudget(2.5 * pass.all());
  LivePass beside(model, 2), shown(model, 2);
  shown.beShown(std::chrono::milliseconds(0));
  const double held = CountedPass::shown(), heldBeside = CountedPass::beside();
  auto measured = beside.run(tokens);
  CHECK(beside.memory().kept == RetentionPolicy::Everything);
  CHECK(CountedPass::beside() - heldBeside == pass.all());
  {
    LivePass another(model, 2);
    another.beShown(std::chrono::milliseconds(0));
    const auto looked = shown.run(tokens), other = another.run(tokens);
    CHECK(shown.memory().kept == RetentionPolicy::Everything);
    CHECK(CountedPass::shown() - held == 2 * pass.all());
    const auto less = beside.run(tokens);
    CHECK(beside.memory().kept == RetentionPolicy::Tables);
    CHECK(sameBits(*less, *looked));
  }
  CHECK(CountedPass::shown() - held == pass.all());
  setPassBudget(usualPassBudget);
}

TEST_CASE("a pass with more room takes rows over from one that kept less") {
  const auto model = modelOfManyScores();
  Random random(14);
  auto tokens = drawnTokens(random, 150);
  LivePass live(model, 2);
  setPassBudget(1);
  const auto sparing = live.run(tokens);
  setPassBudget(usualPassBudget);
  tokens.push_back(3);
  const auto kept = live.run(tokens);
  CHECK(live.rowsReused() == 150);
  CHECK(sameBits(*kept, *LivePass(model, 1).run(tokens)));
}

TEST_CASE("threads that ask for scores that were not kept read the same") {
  const auto model = modelOfManyScores();
  Random random(6);
  const auto tokens = drawnTokens(random, 300);
  const auto expected = (*LivePass(model).run(tokens))[lastScores].copy();
  const auto evicted = LivePass(model, 2, noBudget).run(tokens);
  std::vector<std::vector<float>> found(3);
  {
    std::vector<std::jthread> readers;
    for (auto& values : found) readers.emplace_back([&] { values = (*evicted)[lastScores].copy(); });
  }
  for (const auto& values : found) CHECK(values == expected);
}

#ifdef __linux__
TEST_CASE("beyond its budget a pass holds patterns, or neither, and what is looked at", "[memory]") {
  const auto model = modelOfManyScores();
  Random random(7);
  const auto tokens = drawnTokens(random, 512);
  const Tape::Bytes pass = passBytes(model->config(), 1, 512);
  const double scores = 6. * 8 * 512 * 512 * sizeof(float), ofBlock = scores / 6;
  CHECK((pass.scores == scores && pass.patterns == scores));
  ::malloc_trim(0);  // what earlier tests have freed is not to be taken for room
  double before = bytesHeld();
  const auto taken = [&] {
    const double earlier = std::exchange(before, bytesHeld());
    return before - earlier;
  };
  const auto isNear = [&](double found, double expected) {
    return std::abs(found - expected) < 0.1 * ofBlock + 0.05 * expected;
  };
  LivePass live(model, 2), patterns(model, 2, 2 * pass.of(RetentionPolicy::Patterns)),
      tables(model, 2, noBudget);
  const auto kept = live.run(tokens);
  CHECK(isNear(taken(), pass.all()));
  CHECK(live.memory().bytes == pass.all());
  const auto withPatterns = patterns.run(tokens);
  CHECK(isNear(taken(), pass.all() - scores));
  // Both norms and the stream between them, of 32 numbers, and 64 of the activation, per row of a block; what
  // the last block leaves, and the last norm.
  const double cheap = (6. * (3 * 32 + 64) + 2 * 32) * 512 * sizeof(float);
  CHECK(pass.cheap == cheap);
  CHECK(patterns.memory().bytes == pass.all() - scores - cheap);
  const auto evicted = tables.run(tokens);
  CHECK(isNear(taken(), pass.tables - cheap));
  CHECK(tables.memory().bytes == pass.tables - cheap);
  for (const char* point : {lastScores, lastPattern}) {
    const double heldBefore = tables.memory().bytes;
    const TensorView made = (*evicted)[point];
    CHECK(isNear(taken(), ofBlock));
    CHECK(tables.memory().bytes == heldBefore + ofBlock);
    CHECK(made.copy() == (*kept)[point].copy());
    ::malloc_trim(0);
    taken();
  }
  const float expected = (*kept)["blocks.2.attn.hook_pattern"](5, 400, 300);
  evicted->lookAt("blocks.2.attn.hook_pattern",
                  [&](const TensorView& pattern) { CHECK(pattern(5, 400, 300) == expected); });
  CHECK(isNear(taken(), 0));
}

TEST_CASE("what is changed keeps no more than what is not, to the bit as if everything were kept",
          "[memory]") {
  const auto model = modelOfManyScores();
  Random random(9);
  const auto tokens = drawnTokens(random, 512);
  const Tape::Bytes pass = passBytes(model->config(), 1, 512);
  LivePass live(model, 2), sparing(model, 2, noBudget);
  const auto vector = std::make_shared<const Tensor>(std::vector<int>{512, 32},
                                                     std::vector<float>(std::size_t{512} * 32, 0.25f));
  const std::vector<Interventions> changes{
      {{"blocks.2.attn.hook_z", InterventionKind::Zero, {-1, 3, -1, -1}}},
      {{"blocks.2.attn.hook_pattern", InterventionKind::Scale, {1, -1, -1, -1}, 0.5f}},
      {{"blocks.4.hook_resid_mid", InterventionKind::Replace, {-1, -1, -1, -1}, 0, vector},
       {"blocks.4.mlp.hook_post", InterventionKind::Add, {300, 7, -1, -1}, 1.5f}},
      {{"blocks.1.ln2.hook_normalized", InterventionKind::Scale, {200, -1, -1, -1}, 2}},
      {{"blocks.3.attn.hook_pattern", InterventionKind::Replace, {2, 40, 300, -1}, 0.5f}},  // a later token
      {{"blocks.3.attn.hook_attn_scores", InterventionKind::Add, {2, 140, 300, -1}, 4}},
      {}};
  live.run(tokens), sparing.run(tokens);
  ::malloc_trim(0);
  const double before = bytesHeld();
  for (const Interventions& each : changes) {
    const auto changed = sparing.run(tokens, each);
    ::malloc_trim(0);  // of what was compared
    CHECK(bytesHeld() - before < 0.1 * (pass.scores + pass.patterns));
    REQUIRE(sameBits(*live.run(tokens, each), *changed));
  }
}

TEST_CASE("what was made anew is let go of with the pass that is no longer looked at", "[memory]") {
  const auto model = modelOfManyScores();
  Random random(10);
  LivePass live(model, 2, noBudget);
  const double whole = passBytes(model->config(), 1, 512).of(RetentionPolicy::Tables);
  auto shown = live.run(drawnTokens(random, 500));
  for (int i = 0; i < shown->count(); ++i) shown->tensor(i);
  CHECK(live.memory().bytes > 2 * whole);
  const auto next = live.run(drawnTokens(random, 500));
  shown.reset();
  const double before = bytesHeld();
  nextTokenLogits(live)(drawnTokens(random, 10));
  CHECK(before - bytesHeld() > whole);
}

TEST_CASE("where whole passes are beyond the budget, decoding takes keys and values alone", "[memory]") {
  const auto model = modelOfManyScores();
  Random random(8);
  std::vector<int> tokens = drawnTokens(random, 400);
  const Tape::Bytes pass = passBytes(model->config(), 1, 512);
  LivePass live(model, 2), sparing(model, 2, noBudget);
  std::vector<std::vector<int>> texts;
  std::vector<std::vector<float>> expected;
  for (int i = 0; i < 12; ++i, tokens.push_back(random.below(50))) {
    if (i == 8) tokens.resize(300);  // another hypothesis
    expected.push_back(nextTokenLogits(live)(texts.emplace_back(tokens)));
  }
  const auto shown = sparing.run(texts.front());
  const double held = bytesHeld();
  for (std::size_t i = 0; i < texts.size(); ++i) REQUIRE(nextTokenLogits(sparing)(texts[i]) == expected[i]);
  const double kept = 6. * 3 * 32 * 512 * sizeof(float);  // queries lie beside keys and values
  CHECK(sparing.memory().bytes == pass.of(RetentionPolicy::Tables) + kept);
  CHECK(bytesHeld() - held < 2 * kept);
  CHECK(2 * kept < 0.5 * pass.tables);
}
#endif

TEST_CASE("memory follows the text, not what could be read at most") {
  ModelConfig config{.layers = 2, .heads = 4, .width = 32, .feedForward = 64, .vocabulary = 50};
  config.context = 1 << 22, config.positions = &noPositions();
  Parameters parameters(parameterSpecs(config));
  initialize(config, parameters, {}, 7);
  LivePass live(std::make_shared<const Transformer>(config, std::move(parameters)), 1);
  CHECK(live.checkMemory(100));
  CHECK(live.run(std::vector{1, 2, 3})->tokens().size() == 3);
  const Status whole = live.checkMemory(1 << 22);  // all four million
  REQUIRE_FALSE(whole);
  CHECK_THAT(whole.error().message(), Catch::Matchers::ContainsSubstring("room for 4194304 tokens needs ") &&
                                          Catch::Matchers::ContainsSubstring("this machine has "));
}
