// What passes keep within their limit, what is made again beyond it, and what is refused.
#include "core/model/pass_limit.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
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
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a text that outgrows its memory keeps its rows, and has the bits of a full pass") {
  for (const Stack stack : {Stack::DecoderOnly, Stack::EncoderDecoder}) {
    ModelConfig config{
        .layers = 2, .heads = 4, .width = 32, .feedForward = 64, .vocabulary = 50, .context = 300};
    config.stack = stack;
    Parameters parameters(parameterSpecs(config));
    initialize(config, parameters, {}, 7);
    const auto model = std::make_shared<const Transformer>(config, std::move(parameters));
    LivePass live(model, 2, muchRoom), sparing(model, 2, noRoom);
    Random random(3);
    const std::vector<int> source = drawnTokens(random, config.isEncoderDecoder() ? 20 : 0);
    std::vector<int> tokens = drawnTokens(random, 61);
    std::shared_ptr<const Trace> held = live.run(tokens, {}, source);
    while (tokens.size() < 132) {
      tokens.push_back(random.below(50));
      const auto trace = live.run(tokens, {}, source);
      REQUIRE(live.rowsReused() >= static_cast<int>(tokens.size()) - 2);  // what is held is not written over
      const auto dropped = sparing.run(tokens, {}, source);  // most of these have no scores to take over
      if (tokens.size() % 13 == 0) {
        REQUIRE(sameBits(*trace, *LivePass(model, 1).run(tokens, {}, source)));
        REQUIRE(sameBits(*trace, *dropped));
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

TEST_CASE("a pass that fits into the limit keeps all; one that does not drops its squares, to the bit") {
  const auto model = modelOfManyScores();
  const Tape::Bytes pass = passBytes(model->config(), 1, 128);
  Random random(18);
  const auto tokens = drawnTokens(random, 100);
  LivePass fits(model, 2, pass.all()), drops(model, 2, pass.all() - 1);
  const auto kept = fits.run(tokens), dropped = drops.run(tokens);
  CHECK_FALSE(fits.memory().dropsSquares);
  CHECK(fits.memory().bytes == pass.all());
  CHECK(drops.memory().dropsSquares);
  CHECK(drops.memory().bytes == pass.tables);
  for (int i = 0; i < kept->count(); ++i) {
    const std::string& name = kept->point(i).name;
    const bool isSquare = name.ends_with("hook_attn_scores") || name.ends_with("hook_pattern");
    INFO(name);
    CHECK(kept->isMade(i));
    CHECK(dropped->isMade(i) == !isSquare);
    CHECK(sameBits(kept->tensor(i), dropped->tensor(i)));
    CHECK(dropped->isMade(i));
  }
  CHECK(drops.memory().bytes == pass.all());  // all of it has been looked at
}

TEST_CASE("whatever the member of the family, decoding beyond the limit gives the bits of full passes",
          "[family]") {
  forEachMember([](const ModelConfig& config) {
    const auto model = makeModel(config);
    LivePass live(model, 1, muchRoom), sparing(model, 2, noRoom);
    Random random(11);
    const auto drawn = [&](int count) {
      std::vector<int> tokens;
      for (int i = 0; i < count; ++i) tokens.push_back(random.below(config.vocabulary));
      return tokens;
    };
    const std::vector<int> source = drawn(config.isEncoderDecoder() ? 7 : 0);
    std::vector<int> tokens = drawn(std::min(9, config.context - 4));
    for (int i = 0; i < 4; ++i, tokens.push_back(random.below(config.vocabulary)))
      REQUIRE(nextTokenLogits(live, {}, source)(tokens) == nextTokenLogits(sparing, {}, source)(tokens));
  });
}

TEST_CASE("a pass that is looked at is handed out again, not computed anew, until the limit changes") {
  const auto model = modelOfManyScores();
  const std::vector<int> tokens{4, 8, 15, 16, 23, 42};
  const double before = passLimit();
  LivePass live(model, 2);
  setPassLimit(muchRoom);
  auto shown = live.run(tokens);
  CHECK(live.run(tokens) == shown);
  CHECK(live.rowsReused() == 6);
  CHECK_FALSE(live.memory().dropsSquares);
  setPassLimit(1e5);
  const auto sparing = live.run(tokens);
  setPassLimit(before);
  CHECK(sparing != shown);
  CHECK(live.memory().dropsSquares);
  CHECK(sameBits(*shown, *sparing));
}

TEST_CASE("a pass with room for its squares is whole after one that had dropped them") {
  const auto model = modelOfManyScores();
  Random random(14);
  auto tokens = drawnTokens(random, 150);
  const double before = passLimit();
  LivePass live(model, 2);
  setPassLimit(noRoom);
  const auto sparing = live.run(tokens);
  setPassLimit(muchRoom);
  tokens.push_back(3);
  const auto kept = live.run(tokens);
  setPassLimit(before);
  CHECK(sameBits(*kept, *LivePass(model, 1, muchRoom).run(tokens)));
}

TEST_CASE("what made a number of a pattern names scores that were dropped, and reads them") {
  const auto model = modelOfManyScores();
  Random random(5);
  const auto tokens = drawnTokens(random, 300);
  const auto kept = LivePass(model, 2, muchRoom).run(tokens),
             dropped = LivePass(model, 2, noRoom).run(tokens);
  const auto expected = kept->derive(lastPattern, {3, 290, 17}),
             made = dropped->derive(lastPattern, {3, 290, 17});
  REQUIRE(expected);
  REQUIRE(made);
  REQUIRE(made->terms.size() == expected->terms.size());
  for (std::size_t i = 0; i < made->terms.size(); ++i)
    REQUIRE(made->terms[i].value() == expected->terms[i].value());
  CHECK(dropped->locate(made->terms[17].factor)->index == std::array{3, 290, 17, 0});
}

TEST_CASE("of passes that drop their squares, none stays that nobody holds, but for the last") {
  const auto model = modelOfManyScores();
  Random random(11);
  const double whole = passBytes(model->config(), 1, 128).tables;
  LivePass live(model, 2, noRoom);
  std::vector<std::shared_ptr<const Trace>> shown;
  for (int i = 0; i < 4; ++i) shown.push_back(live.run(drawnTokens(random, 100)));
  CHECK(live.memory().bytes == 4 * whole);  // all of them are looked at
  shown.erase(shown.begin(), shown.end() - 1);
  const auto tokens = drawnTokens(random, 100);
  const auto last = live.run(tokens);
  CHECK(live.memory().bytes == 2 * whole);
  CHECK((*last)["logits"].copy() == (*LivePass(model, 1).run(tokens))["logits"].copy());
}

TEST_CASE("threads that ask for scores that were dropped read the same") {
  const auto model = modelOfManyScores();
  Random random(6);
  const auto tokens = drawnTokens(random, 300);
  const auto expected = (*LivePass(model, 2, muchRoom).run(tokens))[lastScores].copy();
  const auto dropped = LivePass(model, 2, noRoom).run(tokens);
  std::vector<std::vector<float>> found(3);
  {
    std::vector<std::jthread> readers;
    for (auto& values : found) readers.emplace_back([&] { values = (*dropped)[lastScores].copy(); });
  }
  for (const auto& values : found) CHECK(values == expected);
}

#ifdef __linux__
TEST_CASE("beyond the limit a pass holds its tables and what is looked at", "[memory]") {
  const auto model = modelOfManyScores();
  Random random(7);
  const auto tokens = drawnTokens(random, 512);
  const Tape::Bytes pass = passBytes(model->config(), 1, 512);
  const double ofBlock = 8. * 512 * 512 * sizeof(float);  // scores, and as much the patterns
  CHECK(pass.squares == 6 * 2 * ofBlock);
  ::malloc_trim(0);  // what earlier tests have freed is not to be taken for room
  double before = bytesHeld();
  const auto taken = [&] {
    const double earlier = std::exchange(before, bytesHeld());
    return before - earlier;
  };
  const auto isNear = [&](double found, double expected) {
    return std::abs(found - expected) < 0.1 * ofBlock + 0.05 * expected;
  };
  LivePass live(model, 2, muchRoom), sparing(model, 2, noRoom);
  const auto kept = live.run(tokens);
  CHECK(isNear(taken(), pass.all()));
  const auto dropped = sparing.run(tokens);
  CHECK(isNear(taken(), pass.tables));
  for (const char* point : {lastScores, lastPattern}) {
    const double heldBefore = sparing.memory().bytes;
    const TensorView made = (*dropped)[point];
    CHECK(isNear(taken(), ofBlock));
    CHECK(sparing.memory().bytes == heldBefore + ofBlock);
    CHECK(made.copy() == (*kept)[point].copy());
    ::malloc_trim(0);
    taken();
  }
  const float expected = (*kept)["blocks.2.attn.hook_pattern"](5, 400, 300);
  dropped->lookAt("blocks.2.attn.hook_pattern",
                  [&](const TensorView& pattern) { CHECK(pattern(5, 400, 300) == expected); });
  CHECK(isNear(taken(), 0));
}

TEST_CASE("what is changed keeps no more than what is not, to the bit as if everything were kept",
          "[memory]") {
  const auto model = modelOfManyScores();
  Random random(9);
  const auto tokens = drawnTokens(random, 512);
  const Tape::Bytes pass = passBytes(model->config(), 1, 512);
  LivePass live(model, 2, muchRoom), sparing(model, 2, noRoom);
  const auto vector = std::make_shared<const Tensor>(std::vector<int>{512, 32},
                                                     std::vector<float>(std::size_t{512} * 32, 0.25f));
  const std::vector<Interventions> changes{
      {{"blocks.2.attn.hook_z", InterventionKind::Zero, {-1, 3, -1, -1}}},
      {{"blocks.2.attn.hook_pattern", InterventionKind::Scale, {1, -1, -1, -1}, 0.5f}},
      {{"blocks.4.hook_resid_mid", InterventionKind::Replace, {-1, -1, -1, -1}, 0, vector},
       {"blocks.4.mlp.hook_post", InterventionKind::Add, {300, 7, -1, -1}, 1.5f}},
      {{"blocks.3.attn.hook_pattern", InterventionKind::Replace, {2, 40, 300, -1}, 0.5f}},  // a later token
      {{"blocks.3.attn.hook_attn_scores", InterventionKind::Add, {2, 140, 300, -1}, 4}},
      {}};
  live.run(tokens), sparing.run(tokens);
  ::malloc_trim(0);
  const double before = bytesHeld();
  for (const Interventions& each : changes) {
    const auto changed = sparing.run(tokens, each);
    ::malloc_trim(0);  // of what was compared
    CHECK(bytesHeld() - before < 0.1 * pass.squares);
    REQUIRE(sameBits(*live.run(tokens, each), *changed));
  }
}

TEST_CASE("decoding a long text takes one more pass without its squares", "[memory]") {
  const auto model = modelOfManyScores();
  Random random(8);
  std::vector<int> tokens = drawnTokens(random, 400);
  const Tape::Bytes pass = passBytes(model->config(), 1, 512);
  const double whole = pass.tables;
  LivePass live(model, 2, muchRoom), sparing(model, 2, whole + pass.squares / model->config().layers);
  CHECK(sparing.checkMemory(512));
  std::vector<std::vector<int>> texts;
  std::vector<std::vector<float>> expected;
  for (int i = 0; i < 12; ++i, tokens.push_back(random.below(50))) {
    if (i == 8) tokens.resize(300);  // another hypothesis
    expected.push_back(nextTokenLogits(live)(texts.emplace_back(tokens)));
  }
  const auto shown = sparing.run(texts.front());
  ::malloc_trim(0);
  const double held = bytesHeld();
  for (std::size_t i = 0; i < texts.size(); ++i) REQUIRE(nextTokenLogits(sparing)(texts[i]) == expected[i]);
  CHECK(sparing.memory().bytes == 2 * whole);
  CHECK(bytesHeld() - held < 1.1 * whole);
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
  CHECK_THAT(whole.error().message(),
             ContainsSubstring("room for 4194304 tokens needs ") &&
                 ContainsSubstring("; the memory limit is " + byteWords(passLimit())));
}

TEST_CASE("the usual limit is a part of what this machine has to spare") {
  CHECK(usualPassLimit() >= 1e8);
  CHECK(usualPassLimit() == usualPassLimit());
}
