#include "core/train/trainer.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "core/model/head_slices.h"
#include "core/random.h"
#include "core/tensor/huge_pages.h"
#include "core/tensor/kernels.h"
#include "core/train/training_pass.h"

namespace glassformer {

namespace {
constexpr int chunkSize = 16384;
}

// A share of the batch: its own tape and its own gradients.
struct Trainer::Shard : TrainingPass {
  Shard(Transformer& model, const TrainingOptions& options, int index)
      : TrainingPass(model, options.sequences / options.shards, options.positions, options.sourcePositions) {
    dropout.shard = index;
    tape.planBackward();
    const Parameters& all = model.parameters();
    for (int i = 0; i < all.count(); ++i)
      if (const std::span gradient(gradients.data() + all.offset(i), all.view(i).size());
          !tape.startsGradient(gradient.data()))
        summedFromZero.push_back(gradient);
  }

  // Its share of every part of a batch, of `parts` that are as large as the trainer's own.
  void run(const Batch& batch, int parts, float rowWeight, std::uint64_t seed, Direction direction) {
    loss = 0;
    if (direction == Direction::Both)
      for (const std::span gradient : summedFromZero) std::ranges::fill(gradient, 0.f);
    const int shards = static_cast<int>(batch.tokens.size()) / (parts * tape.extent().rows());
    for (int part = 0; part < parts; ++part) {
      runPart(batch, part * shards + dropout.shard, rowWeight,
              part == 0 ? seed : mix(seed + static_cast<std::uint64_t>(part)), direction, part > 0);
      loss += lastLoss;
    }
  }

  // The `share`th of the batch. `adds`: to the gradients of the shares before it.
  void runPart(const Batch& batch, int share, float rowWeight, std::uint64_t seed, Direction direction,
               bool adds) {
    const auto rows = static_cast<std::size_t>(tape.extent().rows());
    const auto first = static_cast<std::ptrdiff_t>(rows) * share;
    std::copy_n(batch.tokens.begin() + first, rows, tape.tokens().begin());
    if (!batch.source.empty()) setSource(batch, share);
    targets.set(std::span(batch.targets).subspan(static_cast<std::size_t>(first), rows), rowWeight);
    dropout.seed = seed;
    dropout.active = direction == Direction::Both;
    tape.forward();
    if (direction == Direction::Both) tape.backward(adds);
    lastLoss = direction == Direction::Both ? targets.value() : targets.alone(tape);
  }

  void setSource(const Batch& batch, int share) {
    const Extent& extent = tape.extent(Stream::Source);
    const std::ptrdiff_t sequences = extent.sequences, rows = extent.rows();
    std::copy_n(batch.source.begin() + rows * share, rows, tape.tokens(Stream::Source).begin());
    tape.setLengths(
        std::span(batch.sourceLengths)
            .subspan(static_cast<std::size_t>(sequences * share), static_cast<std::size_t>(sequences)),
        Stream::Source);
  }

  std::vector<std::span<float>> summedFromZero;  // of the gradients, what no run backward writes anew
  double loss = 0, lastLoss = 0;                 // of all parts, and of the last of them
};

Trainer::Trainer(const ModelConfig& config, Parameters parameters, const TrainingOptions& options,
                 int threads)
    : options_(options),
      model_(std::make_unique<Transformer>(config, std::move(parameters))),
      team_(threads) {
  assert(options.sequences % options.shards == 0 && options.positions <= config.context);
  assert(config.isEncoderDecoder() == (options.sourcePositions > 0) &&
         options.sourcePositions <= config.context);
  for (int i = 0; i < options.shards; ++i) shards_.push_back(std::make_unique<Shard>(*model_, options, i));
  const Parameters& all = model_->parameters();
  groups_ = parameterGroups(all);
  for (int i = 0; i < all.count(); ++i)
    for (int n = static_cast<int>(all.view(i).size()), at = 0; at < n; at += chunkSize)
      chunks_.push_back({all.offset(i) + static_cast<std::size_t>(at), std::min(chunkSize, n - at),
                         all.view(i).rank == 2,
                         static_cast<std::size_t>(groups_.of[static_cast<std::size_t>(i)])});
  state_.firstMoment = inHugePages(model_->parameters().values().size());
  state_.secondMoment = inHugePages(state_.firstMoment.size());
}

Trainer::~Trainer() = default;

void Trainer::restore(const State& state) {
  assert(state.firstMoment.size() == state_.firstMoment.size());
  assert(state.secondMoment.size() == state_.secondMoment.size());
  state_.step = state.step;
  std::ranges::copy(state.firstMoment, state_.firstMoment.begin());  // so that they stay on large pages
  std::ranges::copy(state.secondMoment, state_.secondMoment.begin());
}

void Trainer::runShards(const Batch& batch, Direction direction) {
  const int whole = options_.sequences * options_.positions,
            parts = static_cast<int>(batch.tokens.size()) / whole;
  assert(parts > 0 && batch.tokens.size() == static_cast<std::size_t>(parts * whole));
  assert(batch.targets.size() == batch.tokens.size());
  assert(batch.source.size() ==
         static_cast<std::size_t>(parts * options_.sequences * options_.sourcePositions));
  const auto counted = std::ranges::count_if(batch.targets, [](int t) { return t != Targets::none; });
  const float rowWeight = 1.f / static_cast<float>(std::max<std::ptrdiff_t>(1, counted));
  const std::uint64_t seed = mix(options_.seed ^ mix(static_cast<std::uint64_t>(state_.step)));
  team_.run([&](int worker) {
    for (int i = worker; i < options_.shards; i += team_.workers())
      shards_[static_cast<std::size_t>(i)]->run(batch, parts, rowWeight, seed, direction);
  });
}

double Trainer::lossOfShards() const {
  double loss = 0;
  for (const auto& shard : shards_) loss += shard->loss;
  return loss;
}

double Trainer::loss(const Batch& batch) {
  runShards(batch, Direction::Forward);
  return lossOfShards();
}

std::span<const float> Trainer::gradient() const { return shards_[0]->gradients; }

void Trainer::shareChunks(const std::function<void(Chunk&)>& visit) {
  const std::size_t workers = static_cast<std::size_t>(team_.workers());
  team_.run([&](int worker) {
    for (std::size_t i = static_cast<std::size_t>(worker); i < chunks_.size(); i += workers)
      visit(chunks_[i]);
  });
}

void Trainer::sumGradients(const Chunk& chunk) {
  float* sum = shards_[0]->gradients.data() + chunk.begin;
  for (std::size_t i = 1; i < shards_.size(); ++i)
    kernels().accumulate(shards_[i]->gradients.data() + chunk.begin, sum, chunk.size);
}

void Trainer::apply(const Chunk& chunk, const AdamWStep& adamW, float* values) {
  const float* gradient = shards_[0]->gradients.data() + chunk.begin;
  float* first = state_.firstMoment.data() + chunk.begin;
  if (options_.optimizer == OptimizerKind::AdamW)
    return kernels().adamW(adamW, gradient, values, first, state_.secondMoment.data() + chunk.begin,
                           chunk.size);
  for (int i = 0; i < chunk.size; ++i) {
    first[i] =
        options_.momentum * first[i] + (adamW.gradientScale * gradient[i] + adamW.weightDecay * values[i]);
    values[i] -= adamW.learningRate * first[i];
  }
}

void Trainer::update(Chunk& chunk, AdamWStep adamW) {
  float* values = model_->parameters().values().data() + chunk.begin;
  adamW.weightDecay = chunk.decays ? options_.weightDecay : 0;
  if (!watchesGroups_) return apply(chunk, adamW, values);
  std::array<float, chunkSize> before;
  std::copy_n(values, chunk.size, before.begin());
  chunk.weight = kernels().sumOfSquares(values, chunk.size);
  apply(chunk, adamW, values);
  for (int i = 0; i < chunk.size; ++i) {
    float& change = before[static_cast<std::size_t>(i)];
    change = values[i] - change;
  }
  chunk.update = kernels().sumOfSquares(before.data(), chunk.size);
}

std::vector<GroupReport> Trainer::reportGroups() const {
  std::vector<GroupReport> reports(groups_.names.size());
  std::vector<double> weights(reports.size());
  for (const Chunk& chunk : chunks_) {
    reports[chunk.group].gradientNorm += chunk.gradient;
    reports[chunk.group].updateRatio += chunk.update;
    weights[chunk.group] += chunk.weight;
  }
  for (std::size_t g = 0; g < reports.size(); ++g) {
    reports[g].gradientNorm = std::sqrt(reports[g].gradientNorm);
    reports[g].updateRatio = weights[g] > 0 ? std::sqrt(reports[g].updateRatio / weights[g]) : 0;
  }
  return reports;
}

StepReport Trainer::step(const Batch& batch) {
  runShards(batch, Direction::Both);
  ++state_.step;
  StepReport report{state_.step, lossOfShards(), 0, options_.schedule.rate(state_.step)};
  shareChunks([&](Chunk& chunk) {
    sumGradients(chunk);
    chunk.gradient = kernels().sumOfSquares(shards_[0]->gradients.data() + chunk.begin, chunk.size);
  });
  for (const Chunk& chunk : chunks_) report.gradientNorm += chunk.gradient;
  report.gradientNorm = std::sqrt(report.gradientNorm);
  float clipping = 1;
  if (options_.clip > 0 && report.gradientNorm > options_.clip)
    clipping = options_.clip / static_cast<float>(report.gradientNorm);

  const float beta1 = state_.step > options_.beta1FromStep ? options_.beta1 : 0;
  AdamWStep adamW{report.learningRate, beta1, options_.beta2, options_.epsilon, 0, 0, 0, clipping};
  adamW.correction1 = static_cast<float>(1 / (1 - std::pow(beta1, state_.step)));
  adamW.correction2 = static_cast<float>(1 / (1 - std::pow(options_.beta2, state_.step)));
  shareChunks([&](Chunk& chunk) { update(chunk, adamW); });
  if (watchesGroups_) {
    report.groups = reportGroups();
    report.headsApart = headsApart(model_->config(), model_->parameters());
  }
  return report;
}

double Trainer::gradients(const Batch& batch, AlignedVector& result) {
  runShards(batch, Direction::Both);
  for (const Chunk& chunk : chunks_) sumGradients(chunk);
  result = shards_[0]->gradients;
  return lossOfShards();
}

}  // namespace glassformer
