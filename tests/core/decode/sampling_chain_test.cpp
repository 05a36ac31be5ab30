#include "core/decode/sampling_chain.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/decode/sampling.h"
#include "core/trace/derived.h"

using namespace glassformer;

namespace {

std::vector<float> someLogits(int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> logits;
  for (int i = 0; i < count; ++i) logits.push_back(static_cast<float>(2 * random.normal()));
  return logits;
}

StageNumbers everyStage() {
  StageNumbers numbers;
  for (const SamplingStage& stage : samplingStages()) numbers.set(stage, stage.usual);
  return numbers;
}

}  // namespace

TEST_CASE("every stage's distribution is what the stages up to it leave") {
  const std::vector<float> logits = someLogits(50, 3);
  const std::vector<int> text{4, 9, 4, 30};
  const StageNumbers numbers = everyStage();
  TensorSet set;
  measureSamplingChain(logits, text, {}, {.stages = numbers}, 0.5, set);
  const TensorView p = set[chain::probability], before = set[chain::before], entropy = set[chain::entropy];
  const auto stages = samplingStages();
  REQUIRE(p.extent[0] == static_cast<int>(stages.size()) + 1);
  StageNumbers upTo;
  for (int g = 0; g < p.extent[0]; ++g) {
    if (g > 0)
      upTo.set(stages[static_cast<std::size_t>(g - 1)], stages[static_cast<std::size_t>(g - 1)].usual);
    const Candidates left = narrowed(candidatesOf(logits, text), upTo);
    double sum = 0, nats = 0;
    int counted = 0;
    for (const Candidate& c : left) {
      CHECK(std::abs(p(g, c.token) - c.probability) < 1e-6);
      CHECK(std::abs(before(g, c.token) - sum) < 1e-6);
      sum += c.probability, nats -= c.probability * std::log(c.probability);
    }
    for (int token = 0; token < p.extent[1]; ++token) counted += std::isfinite(before(g, token));
    CHECK(counted == static_cast<int>(left.size()));
    CHECK(std::abs(sum - 1) < 1e-6);
    CHECK(std::abs(entropy(g) - nats) < 1e-5);
  }
}

TEST_CASE("every number of a stage is made of the stage's before, down to the model's logits") {
  const std::vector<float> logits = someLogits(30, 5);
  const std::vector<int> text{4, 9, 4, 20};
  TensorSet set;
  measureSamplingChain(logits, text, {}, {.stages = everyStage()}, 0.5, set);
  int derived = 0;
  for (const char* const name : {chain::logit, chain::probability, chain::before, chain::entropy})
    set[name].forEach([&](const Index& at, float value) {
      const auto made = set.derive(name, at);
      if (!made) {
        CHECK((std::isnan(value) || value == 0));  // no candidate any more
        return;
      }
      INFO(name << " " << at[0] << ", " << at[1]);
      ++derived;
      CHECK(std::abs(made->value() - static_cast<double>(value)) < 1e-5);
      for (const Term& term : made->terms)
        if (term.factor)
          CHECK((set.locate(term.factor) ||
                 (term.factor >= logits.data() && term.factor < logits.data() + 30)));
    });
  CHECK(derived > 300);
  // Temperature divides, a penalty is taken off, and what is only filtered stays.
  for (int g = 1; g < set[chain::logit].extent[0]; ++g)
    for (int v = 0; v < 30; ++v)
      if (const auto made = set.derive(chain::logit, {g, v})) CHECK(made->terms.size() <= 2);
}

TEST_CASE("the token that is drawn is the first that generating with the seed appends") {
  const std::vector<int> prompt{0, 7, 7};
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const std::vector<float> logits = someLogits(40, seed % 7);
    StageNumbers numbers = everyStage();
    if (seed % 2) numbers = {};
    TensorSet set;
    measureSamplingChain(logits, prompt, {}, {.stages = numbers}, Random(seed).uniform01(), set);
    const SamplingSettings settings{.stages = numbers, .seed = seed};
    const auto generated = generate([&](std::span<const int>) { return logits; }, prompt, 1, settings, 8);
    const int drawn = static_cast<int>(set[chain::drawn](0));
    REQUIRE(generated == std::vector{drawn});
    const int last = set[chain::before].extent[0] - 1;
    const float u = set[chain::draw](0), from = set[chain::before](last, drawn);
    CHECK(from <= u + 1e-6f);
    CHECK(u < from + set[chain::probability](last, drawn) + 1e-6f);
  }
}

TEST_CASE("over many draws every stage's frequencies are its distribution, by chi-square") {
  const std::vector<float> logits = someLogits(12, 5);
  constexpr int draws = 100000;
  StageNumbers numbers;
  std::vector<StageNumbers> settings{numbers};
  for (const SamplingStage& stage : samplingStages()) {
    numbers.set(stage, stage.usual);
    settings.push_back(numbers);
  }
  for (const StageNumbers& each : settings) {
    const Candidates left = narrowed(candidatesOf(logits, std::vector{3, 8, 3}), each);
    std::vector<int> counts(logits.size());
    Random random(11);
    for (int i = 0; i < draws; ++i) ++counts[static_cast<std::size_t>(draw(left, random))];
    double square = 0;
    int all = 0;
    for (const Candidate& c : left) {
      const double expected = draws * c.probability, seen = counts[static_cast<std::size_t>(c.token)];
      square += (seen - expected) * (seen - expected) / expected;
      all += counts[static_cast<std::size_t>(c.token)];
    }
    CHECK(all == draws);
    const auto freedom = static_cast<double>(left.size()) - 1;
    INFO(square << " with " << freedom << " degrees of freedom");
    CHECK(square < freedom + 4 * std::sqrt(2 * freedom) + 4);  // about 1 in 10,000 by chance
  }
}

TEST_CASE("a stage that is off says so, and each says why it takes a candidate out") {
  const RankedCandidate candidate{
      .rank = 6, .probability = 0.01, .before = 0.95, .largest = 0.5, .entropy = 1.2};
  const auto changesAll = [](const SamplingStage& stage) {  // and takes none out
    return stage.id == "temperature" || stage.id.ends_with("penalty");
  };
  for (const SamplingStage& stage : samplingStages()) {
    CHECK(stage.usual != stage.off);
    CHECK(accepts(stage, stage.usual));
    CHECK(changesAll(stage) == (stage.reason == nullptr));
  }
  const auto reason = [&](std::string_view id, float number) {
    for (const SamplingStage& stage : samplingStages())
      if (stage.id == id) return stage.reason(candidate, number);
    return std::string();
  };
  CHECK(reason("top-k", 5) == "rank 7 > k = 5");
  CHECK(reason("top-p", 0.9f) == "mass 0.950 ≥ p = 0.900");
  CHECK(reason("min-p", 0.05f) == "0.010 < p · max = 0.050 · 0.500");
  CHECK(reason("typical", 0.9f) == "|−ln p − H| = 3.405, nearer ones have 0.900; −ln p = 4.605, H = 1.200");
}

TEST_CASE("stages act in the order that is chosen") {
  const std::vector<float> logits = someLogits(50, 3);
  StageNumbers numbers{{"temperature", 3}, {"top-p", 0.8f}};
  const std::size_t usual = narrowed(candidatesOf(logits), numbers).size();
  numbers = moved(numbers, *findSamplingStage("top-p"), 0);
  CHECK(numbers.order().front() == "top-p");
  CHECK(narrowed(candidatesOf(logits), numbers).size() < usual);  // before it is flattened, fewer have 0.8
  TensorSet set;
  measureSamplingChain(logits, {}, {}, {.stages = numbers}, 0.5, set);
  CHECK(samplingStages()[static_cast<std::size_t>(set[chain::stage](1)) - 1].id == "top-p");
  numbers = moved(numbers, *findSamplingStage("top-p"), 5);  // where it was
  CHECK(numbers.order().empty());
  CHECK(narrowed(candidatesOf(logits), numbers).size() == usual);
  numbers.setOrder({"min-p", "min-p"});  // the others follow, and none acts twice
  CHECK(stagesInOrder(numbers).size() == samplingStages().size());
  CHECK(stagesInOrder(numbers).front()->id == "min-p");
}
