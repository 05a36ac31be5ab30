#include "core/train/landscape.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/model/initialization.h"
#include "core/random.h"
#include "core/train/filter_direction.h"

using namespace glassformer;
using Catch::Approx;

namespace {

const ModelConfig config{
    .layers = 2, .heads = 2, .width = 16, .feedForward = 32, .vocabulary = 20, .context = 12};

Parameters weightsOf(const ModelConfig& c, float embedding = 0.3f) {
  Parameters parameters(parameterSpecs(c));
  initialize(c, parameters, {.embedding = embedding}, 3);
  return parameters;
}

// Two batches; the first token of each sequence does not count, and of the last sequence none.
LossData data(int sequences = 4, int vocabulary = 20) {
  LossData data{sequences, 12, 0, {}};
  Random random(5);
  for (int n = 0; n < 2; ++n) {
    Batch batch;
    for (int row = 0; row < sequences * 12; ++row) {
      batch.tokens.push_back(random.below(vocabulary));
      const bool counts = row % 12 > 0 && (n == 0 || row < (sequences - 1) * 12);
      batch.targets.push_back(counts ? random.below(vocabulary) : Targets::none);
    }
    data.batches.push_back(std::move(batch));
  }
  return data;
}

int countedIn(const Batch& batch) {
  return static_cast<int>(std::ranges::count_if(batch.targets, [](int t) { return t != Targets::none; }));
}

// The loss and its gradient as the trainer has them.
double trainersLoss(const ModelConfig& c, const Parameters& weights, const LossData& d, AlignedVector* sum) {
  Parameters copy(parameterSpecs(c));
  for (int i = 0; i < weights.count(); ++i)
    std::ranges::copy(weights.view(i).copy(),
                      copy.values().begin() + static_cast<std::ptrdiff_t>(copy.offset(i)));
  Trainer trainer(c, std::move(copy), {.sequences = d.sequences, .positions = d.positions, .shards = 2});
  double loss = 0;
  int counted = 0;
  for (const Batch& batch : d.batches) counted += countedIn(batch);
  for (const Batch& batch : d.batches) {
    AlignedVector gradient;
    const float share = static_cast<float>(countedIn(batch)) / static_cast<float>(counted);
    loss += static_cast<double>(share) * trainer.gradients(batch, gradient);
    if (!sum) continue;
    sum->resize(gradient.size());
    for (std::size_t i = 0; i < gradient.size(); ++i) (*sum)[i] += share * gradient[i];
  }
  return loss;
}

Landscape surveyed(const ModelConfig& c, const Parameters& weights, const LossData& d,
                   const LandscapeOptions& options, int threads = 2) {
  LandscapeSurvey survey(c, weights, d, options, threads);
  survey.run(noProgress);
  REQUIRE(survey.finished());
  return survey.landscape();
}

// θ + step · direction
Parameters moved(const Parameters& from, const Parameters& direction, float step) {
  std::vector<ParameterSpec> specs;
  for (int i = 0; i < from.count(); ++i) specs.push_back(from.spec(i));
  Parameters to(specs);
  for (int i = 0; i < from.count(); ++i)
    for (std::int64_t j = 0; j < from.view(i).size(); ++j)
      to.values()[to.offset(i) + static_cast<std::size_t>(j)] =
          from.view(i).data[j] + step * direction.view(i).data[j];
  return to;
}

}  // namespace

TEST_CASE("every filter of a direction is as long as the weights' own, and vectors do not move") {
  for (const Mixing mixing : {Mixing::Attention, Mixing::Recurrence, Mixing::Convolution}) {
    ModelConfig c = config;
    c.mixing = mixing, c.tiedUnembedding = false;
    const Parameters weights = weightsOf(c), direction = filterNormalizedDirection(weights, 9);
    for (int i = 0; i < weights.count(); ++i) {
      const std::string& name = weights.spec(i).name;
      INFO(name);
      const TensorView w = weights.view(i), d = direction.view(i);
      if (w.rank == 1) {
        for (int j = 0; j < d.extent[0]; ++j) REQUIRE(d(j) == 0);
        continue;
      }
      // Written out by hand: rows of tables, columns of matrices, columns of all taps together.
      const bool table = name == "wte.weight" || name == "wpe.weight" || name == "lm_head.weight";
      const int filters = table                                      ? w.extent[0]
                          : name.find("c_taps") != std::string::npos ? c.width
                                                                     : w.extent[1];
      for (int f = 0; f < filters; ++f) {
        double ofWeights = 0, ofDirection = 0;
        for (int row = 0; row < w.extent[0]; ++row)
          for (int column = 0; column < w.extent[1]; ++column) {
            if ((table ? row : column % filters) != f) continue;
            ofWeights += static_cast<double>(w(row, column)) * w(row, column);
            ofDirection += static_cast<double>(d(row, column)) * d(row, column);
          }
        REQUIRE(ofWeights > 0);
        REQUIRE(std::sqrt(ofDirection) == Approx(std::sqrt(ofWeights)).epsilon(1e-5));
      }
    }
  }
}

TEST_CASE("the directions of two seeds are other ones, nearly orthogonal; of one seed the same") {
  const Parameters weights = weightsOf(config);
  Parameters one = filterNormalizedDirection(weights, 1), again = filterNormalizedDirection(weights, 1),
             two = filterNormalizedDirection(weights, 2);
  CHECK(std::ranges::equal(one.values(), again.values()));
  double dot = 0, size = 0;
  for (std::size_t i = 0; i < one.values().size(); ++i) {
    dot += static_cast<double>(one.values()[i]) * two.values()[i];
    size += static_cast<double>(one.values()[i]) * one.values()[i];
  }
  CHECK(std::abs(dot / size) < 0.1);
}

TEST_CASE("in the middle stands the model's own loss") {
  for (const bool dropping : {false, true}) {
    ModelConfig c = config;
    c.dropout = dropping ? 0.2f : 0;  // measuring has none
    const Parameters weights = weightsOf(c);
    const Landscape landscape = surveyed(c, weights, data(), {.side = 3});
    CHECK(landscape.a(1) == 0);
    CHECK(landscape.b(1) == 0);
    CHECK(landscape.loss(1, 1) == Approx(trainersLoss(config, weights, data(), nullptr)).epsilon(1e-5));
  }
}

TEST_CASE("along a goes the first direction, along b the second") {
  const Parameters weights = weightsOf(config);
  const LandscapeOptions options{.side = 5, .radius = 0.5f, .seed = 4};
  const Landscape landscape = surveyed(config, weights, data(), options);
  const Parameters delta = filterNormalizedDirection(weights, mix(options.seed)),
                   eta = filterNormalizedDirection(weights, mix(options.seed) + 1);
  const auto lossAt = [&](float a, float b) {
    return trainersLoss(config, moved(moved(weights, delta, a), eta, b), data(), nullptr);
  };
  CHECK(landscape.loss(2, 4) == Approx(lossAt(0.5f, 0)).epsilon(1e-4));
  CHECK(landscape.loss(0, 2) == Approx(lossAt(0, 0.5f)).epsilon(1e-4));
  CHECK(landscape.loss(3, 1) == Approx(lossAt(-0.25f, -0.25f)).epsilon(1e-4));
}

TEST_CASE("its curvature is that of the gradient along the direction") {
  const Parameters weights = weightsOf(config, 2);  // far from flat
  const LandscapeOptions options{.side = 3, .radius = 0.02f};
  const Landscape landscape = surveyed(config, weights, data(), options);
  const float step = landscape.a(2);
  const Parameters delta = filterNormalizedDirection(weights, mix(options.seed));
  const auto slopeAt = [&](float a) {
    AlignedVector gradient;
    trainersLoss(config, moved(weights, delta, a), data(), &gradient);
    double slope = 0;
    for (int i = 0; i < delta.count(); ++i)
      for (std::int64_t j = 0; j < delta.view(i).size(); ++j)
        slope += static_cast<double>(delta.view(i).data[j]) *
                 gradient[delta.offset(i) + static_cast<std::size_t>(j)];
    return slope;
  };
  const auto loss = [&](int column) { return static_cast<double>(landscape.loss(1, column)); };
  const double byLosses = (loss(2) - 2 * loss(1) + loss(0)) / (static_cast<double>(step) * step);
  const double byGradients = (slopeAt(step) - slopeAt(-step)) / (2 * static_cast<double>(step));
  CHECK(std::abs(byGradients) > 1);
  CHECK(byLosses == Approx(byGradients).epsilon(0.03));
  CHECK((loss(2) - loss(0)) / (2 * static_cast<double>(step)) == Approx(slopeAt(0)).epsilon(0.03));
}

TEST_CASE("the loss of a bigram model is convex in its unembedding") {
  // With every other weight 0 the blocks add nothing and logits = E · Uᵀ; log Σ exp of what is linear in U is
  // convex, so every landscape's middle lies below the chord of two others on a line of U.
  ModelConfig c{.layers = 1, .heads = 1, .width = 8, .feedForward = 8, .vocabulary = 12, .context = 12};
  c.tiedUnembedding = false, c.finalNorm = false;
  Parameters weights = weightsOf(c), line = filterNormalizedDirection(weights, 3);
  for (int i = 0; i < weights.count(); ++i) {
    const std::string& name = weights.spec(i).name;
    const auto clear = [&](Parameters& p) {
      std::fill_n(p.values().data() + p.offset(i), p.view(i).size(), 0.f);
    };
    if (name != "lm_head.weight") clear(line);
    if (name != "lm_head.weight" && name != "wte.weight") clear(weights);
  }
  std::vector<float> losses;
  for (int i = -4; i <= 4; ++i)
    losses.push_back(
        surveyed(c, moved(weights, line, 3 * static_cast<float>(i)), data(4, 12), {.side = 3}).loss(1, 1));
  for (std::size_t i = 1; i + 1 < losses.size(); ++i) CHECK(losses[i - 1] + losses[i + 1] > 2 * losses[i]);
}

TEST_CASE("the same bits for the same seed, on any number of threads, stopped and taken up again") {
  const Parameters weights = weightsOf(config);
  const LandscapeOptions options{.side = 7, .seed = 11};
  const Landscape first = surveyed(config, weights, data(), options, 1);
  const auto& one = first.loss.values();
  CHECK(surveyed(config, weights, data(), options, 3).loss.values() == one);
  LandscapeSurvey survey(config, weights, data(), options, 2);
  for (int stops = 0; !survey.finished(); ++stops) {
    int asked = 0;
    survey.run([&](int, int) { return ++asked <= 3; });
    REQUIRE(stops < 20);
  }
  CHECK(survey.landscape().loss.values() == one);
  CHECK(surveyed(config, weights, data(), {.side = 7, .seed = 12}, 2).loss.values() != one);
}

TEST_CASE("every level has the points of the one before, and the trained weights in the middle") {
  CHECK(landscapeLevels(3) == std::vector{3});
  CHECK(landscapeLevels(13) == std::vector{3, 5, 13});
  CHECK(landscapeLevels(25) == std::vector{3, 5, 9, 25});
  CHECK(landscapeLevels(51) == std::vector{3, 11, 51});
  for (int side = 3; side < 120; side += 2) {
    const std::vector<int> levels = landscapeLevels(side);
    CHECK(levels.front() == 3);
    CHECK(levels.back() == side);
    for (std::size_t i = 1; i < levels.size(); ++i) CHECK((levels[i] - 1) % (levels[i - 1] - 1) == 0);
  }
}

TEST_CASE("what is measured first is a coarse grid over the whole plane: nine points") {
  const Parameters weights = weightsOf(config);
  LandscapeSurvey survey(config, weights, data(), {.side = 13}, 1);
  CHECK(survey.known() == 0);
  int reports = 0, told = 0;
  survey.run([&](int done, int total) { return told = done, total == 169 && done < 9; }, [&] { ++reports; });
  CHECK(told == 9);
  CHECK(reports == 9);
  REQUIRE(survey.known() == 3);
  const Landscape landscape = survey.landscape(3);
  survey.run(5, noProgress);
  CHECK(survey.done() == 25);
  CHECK(survey.known() == 5);
  const Landscape finer = survey.landscape(5);
  survey.run(noProgress);
  CHECK(survey.known() == 13);
  const Landscape all = survey.landscape();
  CHECK(all.loss.values() == surveyed(config, weights, data(), {.side = 13}, 2).loss.values());
  for (const Landscape* level : {&landscape, &finer}) {
    const int step = 12 / (level->options.side - 1);
    for (int row = 0; row < level->options.side; ++row) {
      CHECK(level->b(row) == all.b(row * step));
      for (int column = 0; column < level->options.side; ++column) {
        CHECK(level->a(column) == all.a(column * step));
        CHECK(level->loss(row, column) == all.loss(row * step, column * step));
      }
    }
  }
  TensorSet set;
  addLandscape(landscape, nullptr, set);
  CHECK(set["landscape.a"](0) == -1);
  CHECK(set["landscape.b"](0) == 1);
  CHECK(set["landscape.range"](0) > 0);
  CHECK(std::isfinite(set["landscape.range"](1)));
}

TEST_CASE("a loss that is no number is kept, and two landscapes have one range and a difference") {
  Parameters weights = weightsOf(config);
  Parameters broken = weightsOf(config);
  broken.values()[broken.offset(broken.find("h.0.mlp.c_proj.weight"))] =
      std::numeric_limits<float>::infinity();
  const LandscapeOptions options{.side = 3};
  const Landscape good = surveyed(config, weights, data(), options),
                  bad = surveyed(config, broken, data(), options);
  for (const float loss : bad.loss.values()) CHECK(std::isnan(loss));
  const Landscape none = landscapeDifference(good, good), odd = landscapeDifference(good, bad);
  for (const float loss : none.loss.values()) CHECK(loss == 0);
  for (const float loss : odd.loss.values()) CHECK(std::isnan(loss));
  LandscapeSurvey begun(config, weights, data(), options, 1);
  const Landscape unknown = landscapeDifference(good, begun.landscape());
  for (const float loss : unknown.loss.values()) CHECK(loss == Landscape::unknown);

  Landscape higher = good;
  higher.loss(0, 0) = 1000;
  higher.loss(0, 1) = std::numeric_limits<float>::infinity();
  TensorSet here, there;
  addLandscape(good, &higher, here), addLandscape(higher, &good, there);
  for (const int end : {0, 1}) CHECK(here["landscape.range"](end) == there["landscape.range"](end));
  CHECK(here["landscape.range"](1) == 1000);
}
