#include "core/train/trainer.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/model/head_slices.h"
#include "core/model/initialization.h"
#include "core/random.h"

using namespace glassformer;
using Catch::Approx;

namespace {

const ModelConfig trained{
    .layers = 2, .heads = 2, .width = 16, .feedForward = 32, .vocabulary = 20, .context = 12};

const ModelConfig dropping = [] {
  ModelConfig c = trained;
  c.dropout = 0.1f;
  return c;
}();

Parameters freshParameters() {
  Parameters parameters(parameterSpecs(trained));
  initialize(trained, parameters, {}, 3);
  return parameters;
}

TrainingOptions options() {
  TrainingOptions o{.sequences = 4, .positions = 12, .shards = 4};
  o.schedule = {ScheduleKind::Cosine, 1e-2f, 5, 40, 0.1f};
  return o;
}

// Counting up: the next token is always the last one plus one.
Batch batch(int step) {
  Random random(static_cast<std::uint64_t>(step));
  Batch batch;
  for (int b = 0; b < 4; ++b)
    for (int t = 0, token = static_cast<int>(random.below(20)); t < 12; ++t, token = (token + 1) % 20) {
      batch.tokens.push_back(token);
      batch.targets.push_back(t == 0 ? Targets::none : (token + 1) % 20);
    }
  return batch;
}

std::vector<float> train(Trainer& trainer, int from, int to) {
  for (int step = from; step <= to; ++step) trainer.step(batch(step));
  const auto values = trainer.model().parameters().values();
  return {values.begin(), values.end()};
}

}  // namespace

TEST_CASE("training learns to count") {
  Trainer trainer(trained, freshParameters(), options());
  const double before = trainer.step(batch(1)).loss;
  for (int step = 2; step < 40; ++step) trainer.step(batch(step));
  CHECK(trainer.step(batch(40)).loss < 0.2 * before);
}

TEST_CASE("two runs of one seed end with the same bits, on any number of threads, with dropout") {
  Trainer one(dropping, freshParameters(), options(), 1), two(dropping, freshParameters(), options(), 2),
      three(dropping, freshParameters(), options(), 3);
  const auto weights = train(one, 1, 12);
  CHECK((train(two, 1, 12) == weights));
  CHECK((train(three, 1, 12) == weights));
  auto other = options();
  other.seed = 2;
  Trainer different(dropping, freshParameters(), other);
  CHECK((train(different, 1, 12) != weights));
}

TEST_CASE("a run stopped and continued from its state equals one that never stopped") {
  Trainer whole(dropping, freshParameters(), options());
  const auto expected = train(whole, 1, 20);
  Trainer first(dropping, freshParameters(), options());
  const auto half = train(first, 1, 9);
  Parameters parameters(parameterSpecs(trained));
  std::ranges::copy(half, parameters.values().begin());
  Trainer second(dropping, std::move(parameters), options());
  second.restore(first.state());
  CHECK((train(second, 10, 20) == expected));
}

TEST_CASE("momentum that begins later is that of a run that went on with it") {
  TrainingOptions later = options(), without = options();
  later.beta1FromStep = 3, without.beta1 = 0;
  Trainer whole(trained, freshParameters(), later), begun(trained, freshParameters(), without);
  const auto all = train(whole, 1, 6);
  const auto there = train(begun, 1, 3);
  CHECK((all != there));
  Trainer goesOn(trained, begun.model().parameters().copy(), options());
  goesOn.restore(begun.state());
  CHECK((train(goesOn, 4, 6) == all));
}

TEST_CASE("a batch that has grown is one of that many sequences, in parts") {
  TrainingOptions grown = options(), large = options();
  grown.growth = 3, grown.growthStep = 1;
  large.sequences = 12;
  Batch three;
  for (int part = 2; part <= 4; ++part) {
    const Batch one = batch(part);
    three.tokens.insert(three.tokens.end(), one.tokens.begin(), one.tokens.end());
    three.targets.insert(three.targets.end(), one.targets.begin(), one.targets.end());
  }
  Trainer inParts(trained, freshParameters(), grown), atOnce(trained, freshParameters(), large);
  AlignedVector a, b;
  CHECK(inParts.gradients(three, a) == Approx(atOnce.gradients(three, b)).epsilon(1e-6));
  for (std::size_t i = 0; i < a.size(); ++i) REQUIRE(a[i] == Approx(b[i]).epsilon(1e-3).margin(1e-6));
  CHECK(grown.sequencesAt(1) == 4);
  CHECK(grown.sequencesAt(2) == 12);
  // The same bits on any number of threads, with dropout, whose masks are new in every part.
  const auto weights = [&](int threads) {
    Trainer trainer(dropping, freshParameters(), grown, threads);
    trainer.step(batch(1));
    trainer.step(three);
    const auto values = trainer.model().parameters().values();
    return std::vector<float>(values.begin(), values.end());
  };
  CHECK((weights(1) == weights(3)));
}

TEST_CASE("heads that begin equal stay equal to the bit, and noise parts them") {
  for (const OptimizerKind kind : {OptimizerKind::AdamW, OptimizerKind::Sgd}) {
    TrainingOptions own = options();
    own.optimizer = kind;
    const auto apart = [&](float alike, int steps) {
      Parameters parameters(parameterSpecs(dropping));
      initialize(dropping, parameters, {.equalHeads = alike}, 3);
      Trainer trainer(dropping, std::move(parameters), own);
      trainer.watchGroups(true);
      const double before = headsApart(dropping, trainer.model().parameters());
      double after = before;
      for (int step = 1; step <= steps; ++step) after = trainer.step(batch(step)).headsApart;
      CHECK(after == headsApart(dropping, trainer.model().parameters()));
      return std::pair{before, after};
    };
    CHECK(apart(1, 40) == std::pair{0.0, 0.0});  // exactly
    const auto [before, after] = apart(0.9999f, 40);
    INFO(before << " " << after);
    CHECK(before > 0);
    CHECK(before < 0.05);
    if (kind == OptimizerKind::AdamW) CHECK(after > before);
    CHECK(after != before);
    CHECK(apart(0, 1).first > 0.2);
  }
}

TEST_CASE("rows without a target do not count") {
  Trainer trainer(trained, freshParameters(), options());
  Batch some = batch(1), none = batch(1);
  AlignedVector a, b;
  trainer.gradients(some, a);
  for (std::size_t i = 0; i < none.tokens.size(); i += 12) none.tokens[i] = some.tokens[i];
  for (std::size_t i = 0; i < none.targets.size(); ++i)
    if (none.targets[i] != Targets::none && i % 12 > 5) none.targets[i] = Targets::none;
  const double loss = trainer.gradients(none, b);
  CHECK(std::isfinite(loss));
  CHECK((a != b));
  for (int& t : none.targets) t = Targets::none;
  CHECK(trainer.gradients(none, b) == 0);
  for (const float g : b) REQUIRE(g == 0);
}

TEST_CASE("schedules follow their formulas") {
  const Schedule cosine{ScheduleKind::Cosine, 2.f, 10, 110, 0.1f};
  CHECK(cosine.rate(5) == Approx(1));
  CHECK(cosine.rate(10) == Approx(2));
  CHECK(cosine.rate(60) == Approx(2 * (0.1 + 0.9 * 0.5)));
  CHECK(cosine.rate(110) == Approx(0.2));
  // A warm restart: two cosines, one behind the other, the second half as high; from its middle, three times
  // as high as that.
  const Schedule twice{ScheduleKind::Cosine, 2.f, 10, 310, 0.1f, 128, {{110, 1.f}, {210, 3.f}}},
      second{ScheduleKind::Cosine, 1.f, 10, 200, 0.1f};
  for (int step = 1; step <= 110; ++step) CHECK(twice.rate(step) == cosine.rate(step));
  for (int step = 1; step <= 200; ++step)
    CHECK(twice.rate(110 + step) == Approx(second.rate(step) * (step > 100 ? 3 : 1)));
  // Vaswani et al. 2017 with d = 512 and 4000 steps of warm-up: the peak is 512^-0.5 * 4000^-0.5 = 6.99e-4.
  const Schedule paper{ScheduleKind::InverseSqrt, 1, 4000, 0, 0, 512};
  CHECK(paper.rate(4000) == Approx(6.99e-4).epsilon(1e-3));
  CHECK(paper.rate(2000) == Approx(paper.rate(4000) / 2));
  CHECK(paper.rate(16000) == Approx(paper.rate(4000) / 2));
}

TEST_CASE("a schedule written down reads back exactly") {
  const Schedule schedule{ScheduleKind::InverseSqrt, 1.f / 3, 7, 123, 0.1f, 64};
  CHECK(Schedule::parse(schedule.description()) == schedule);
  const Schedule restarted{
      ScheduleKind::Cosine, 3e-3f, 200, 16000, 0.02f, 128, {{6500, 1.f / 3}, {9000, 2e-3f}}};
  CHECK(Schedule::parse(restarted.description()) == restarted);
  CHECK(!Schedule::parse("cosine 0.003 200 16000 0.02 128 6500 soon"));
  CHECK(!Schedule::parse("sideways 1 2 3 4 5"));
  CHECK(!Schedule::parse("cosine 1 2"));
}

TEST_CASE("the loss of a batch changes nothing and knows no dropout") {
  Trainer plain(trained, freshParameters(), options()), drops(dropping, freshParameters(), options());
  AlignedVector gradients;
  CHECK(plain.loss(batch(3)) == Approx(plain.gradients(batch(3), gradients)));
  CHECK(drops.loss(batch(3)) == plain.loss(batch(3)));
  const auto before = train(plain, 1, 1);
  plain.loss(batch(9));
  const auto values = plain.model().parameters().values();
  CHECK((std::vector<float>(values.begin(), values.end()) == before));
}

// Of a step the mask is the same whenever it is asked for: the loss is a function of the weights.
TEST_CASE("gradients with dropout are those of the loss whose units were left out") {
  ModelConfig config = trained;
  config.dropout = 0.3f;
  Trainer trainer(config, freshParameters(), options());
  const Batch data = batch(3);
  AlignedVector gradients, ignored;
  const double loss = trainer.gradients(data, gradients);
  CHECK(std::abs(loss - trainer.loss(data)) > 1e-3);  // the masks act
  const auto values = trainer.model().parameters().values();
  const Parameters& parameters = trainer.model().parameters();
  for (int i = 0; i < parameters.count(); ++i) {  // along the gradient of each parameter
    const std::size_t begin = parameters.offset(i),
                      end = begin + static_cast<std::size_t>(parameters.view(i).size());
    double squares = 0;
    for (std::size_t j = begin; j < end; ++j) squares += static_cast<double>(gradients[j] * gradients[j]);
    if (squares < 1e-8) continue;
    const std::vector<float> before(values.begin() + static_cast<std::ptrdiff_t>(begin),
                                    values.begin() + static_cast<std::ptrdiff_t>(end));
    const auto lossAt = [&](double along) {
      for (std::size_t j = begin; j < end; ++j)
        values[j] = before[j - begin] + static_cast<float>(along / std::sqrt(squares)) * gradients[j];
      return trainer.gradients(data, ignored);
    };
    constexpr double step = 5e-3;
    const double slope = (lossAt(step) - lossAt(-step)) / (2 * step);
    std::ranges::copy(before, values.begin() + static_cast<std::ptrdiff_t>(begin));
    INFO(parameters.spec(i).name);
    CHECK(slope == Approx(std::sqrt(squares)).epsilon(0.02).margin(1e-3));
  }
}

TEST_CASE("without dropout no step knows of it, and seeds of it change nothing") {
  auto other = options();
  other.seed = 9;
  Trainer plain(trained, freshParameters(), options()), seeded(trained, freshParameters(), other);
  CHECK((train(plain, 1, 4) == train(seeded, 1, 4)));
}

TEST_CASE("a gradient that is too long is scaled down, and its norm is told as it was") {
  auto clipped = options(), open = options();
  clipped.clip = 0.05f, open.clip = 0;
  Trainer one(trained, freshParameters(), clipped), two(trained, freshParameters(), open);
  const StepReport a = one.step(batch(1)), b = two.step(batch(1));
  CHECK(a.gradientNorm == b.gradientNorm);
  CHECK(a.gradientNorm > 0.05);
  // Adam's first moment is (1 - beta1) g.
  double squares = 0;
  for (const float m : one.state().firstMoment) squares += static_cast<double>(m) * static_cast<double>(m);
  CHECK(std::sqrt(squares) / (1 - 0.9) == Approx(0.05).epsilon(1e-4));
}

TEST_CASE("gradients and updates are reported for every part of the model") {
  Trainer trainer(trained, freshParameters(), options()), noProgress(trained, freshParameters(), options());
  trainer.watchGroups(true);
  const auto weightsAt = [&] {
    const auto values = trainer.model().parameters().values();
    return std::vector<float>(values.begin(), values.end());
  };
  const auto before = weightsAt();
  AlignedVector gradients;
  trainer.gradients(batch(1), gradients);
  const StepReport report = trainer.step(batch(1));
  const auto after = weightsAt();
  const Parameters& parameters = trainer.model().parameters();
  REQUIRE(report.groups.size() == 4);  // embedding, two blocks, unembedding
  for (int g = 0; g < 4; ++g) {
    double gradient = 0, change = 0, weight = 0;
    for (int i = 0; i < parameters.count(); ++i)
      if (trainer.groups().of[static_cast<std::size_t>(i)] == g)
        for (std::size_t j = parameters.offset(i), n = 0;
             n < static_cast<std::size_t>(parameters.view(i).size()); ++n, ++j) {
          gradient += std::pow(static_cast<double>(gradients[j]), 2);
          change += std::pow(static_cast<double>(after[j]) - static_cast<double>(before[j]), 2);
          weight += std::pow(static_cast<double>(before[j]), 2);
        }
    const GroupReport& group = report.groups[static_cast<std::size_t>(g)];
    CHECK(group.gradientNorm == Approx(std::sqrt(gradient)).epsilon(1e-5));
    CHECK(group.updateRatio == Approx(std::sqrt(change / weight)).epsilon(1e-3));
  }
  noProgress.step(batch(1));
  const auto values = noProgress.model().parameters().values();
  CHECK((std::vector<float>(values.begin(), values.end()) == after));
}
