#include "core/train/landscape.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "core/random.h"
#include "core/train/filter_direction.h"
#include "core/train/training_loss.h"

namespace glassformer {
namespace {

Parameters emptyLike(const Parameters& weights) {
  std::vector<ParameterSpec> specs;
  for (int i = 0; i < weights.count(); ++i) specs.push_back(weights.spec(i));
  return Parameters(std::move(specs));
}

Parameters copyOf(const Parameters& weights) {
  Parameters copy = emptyLike(weights);
  for (int i = 0; i < weights.count(); ++i)
    std::ranges::copy(weights.view(i).copy(),
                      copy.values().begin() + static_cast<std::ptrdiff_t>(copy.offset(i)));
  return copy;
}

// Level by level, each by rows.
std::vector<int> coarseFirst(int side) {
  std::vector<int> order(static_cast<std::size_t>(side * side));
  std::iota(order.begin(), order.end(), 0);
  const std::vector<int> levels = landscapeLevels(side);
  const auto level = [&](int point) {
    return std::ranges::find_if(levels, [&](int points) {
      const int step = (side - 1) / (points - 1);
      return point / side % step == 0 && point % side % step == 0;
    });
  };
  std::ranges::stable_sort(order, {}, level);
  return order;
}

}  // namespace

// The distance between neighbours divides half a side, so that the middle is a point of each.
std::vector<int> landscapeLevels(int side) {
  std::vector<int> levels;
  for (int step = side / 2; step > 0;) {
    levels.push_back((side - 1) / step + 1);
    int factor = 2;
    while (step > 1 && step % factor != 0) ++factor;
    step = step > 1 ? step / factor : 0;
  }
  return levels;
}

// Weights that go from point to point, and a forward pass recorded over them once.
class LandscapeSurvey::Traveller {
 public:
  Traveller(const ModelConfig& config, const Parameters& weights, const LossData& data)
      : data_(data),
        model_(config, emptyLike(weights)),
        tape_(data.sequences, data.positions, data.sourcePositions),
        pass_(tape_, model_.config(), model_.parameters(), Pass::Training{}),
        loss_(pass_, model_.config(), model_.forward(pass_)) {}

  // θ + a·δ + b·η
  void moveTo(Parameters& theta, Parameters& delta, Parameters& eta, float a, float b) {
    const auto from = theta.values(), first = delta.values(), second = eta.values();
    const auto to = model_.parameters().values();
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i] + a * first[i] + b * second[i];
  }

  // The mean cross-entropy of all tokens that count, in nats.
  double loss() {
    double sum = 0;
    std::ptrdiff_t counted = 0;
    for (const Batch& batch : data_.batches) {
      set(batch);
      tape_.forward();
      sum += loss_.alone(tape_);
      counted += std::ssize(batch.targets) - std::ranges::count(batch.targets, Targets::none);
    }
    return sum / static_cast<double>(std::max<std::ptrdiff_t>(1, counted));
  }

 private:
  void set(const Batch& batch) {
    std::ranges::copy(batch.tokens, tape_.tokens().begin());
    loss_.set(batch.targets, 1);
    if (batch.source.empty()) return;
    std::ranges::copy(batch.source, tape_.tokens(Stream::Source).begin());
    tape_.setLengths(batch.sourceLengths, Stream::Source);
  }

  const LossData& data_;
  Transformer model_;
  Tape tape_;
  Pass pass_;
  TrainingLoss loss_;
};

LandscapeSurvey::LandscapeSurvey(const ModelConfig& config, const Parameters& weights, LossData data,
                                 const LandscapeOptions& options, int threads)
    : data_(std::move(data)),
      landscape_{options, Tensor({options.side, options.side})},
      weights_(copyOf(weights)),
      delta_(filterNormalizedDirection(weights, mix(options.seed))),
      eta_(filterNormalizedDirection(weights, mix(options.seed) + 1)),
      order_(coarseFirst(options.side)),
      team_(threads) {
  assert(options.side % 2 == 1 && options.side > 1);
  std::ranges::fill(landscape_.loss.values(), Landscape::unknown);
  for (int i = 0; i < team_.workers(); ++i)
    travellers_.push_back(std::make_unique<Traveller>(config, weights_, data_));
}

LandscapeSurvey::~LandscapeSurvey() = default;

int LandscapeSurvey::known() const {
  int known = 0;
  for (const int side : landscapeLevels(landscape_.options.side))
    if (side * side <= done_) known = side;
  return known;
}

Landscape LandscapeSurvey::landscape(int side) const {
  Landscape level{landscape_.options, Tensor({side, side})};
  level.options.side = side;
  const int step = (landscape_.options.side - 1) / (side - 1);
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) level.loss(i, j) = landscape_.loss(i * step, j * step);
  return level;
}

void LandscapeSurvey::run(int level, const ProgressCallback& watch, const std::function<void()>& measured) {
  const int side = landscape_.options.side;
  while (done_ < level * level) {
    if (!watch(done_, total())) return;
    const int next = std::min(done_ + team_.workers(), level * level);
    team_.run([&](int worker) {
      if (done_ + worker >= next) return;
      const int point = order_[static_cast<std::size_t>(done_ + worker)];
      Traveller& traveller = *travellers_[static_cast<std::size_t>(worker)];
      traveller.moveTo(weights_, delta_, eta_, landscape_.a(point % side), landscape_.b(point / side));
      landscape_.loss.values()[static_cast<std::size_t>(point)] = static_cast<float>(traveller.loss());
    });
    done_ = next;
    measured();
  }
  if (finished()) watch(total(), total());
}

Landscape landscapeDifference(const Landscape& a, const Landscape& b) {
  assert(a.options == b.options);
  Landscape difference{a.options, Tensor({a.options.side, a.options.side})};
  const auto minus = [](float x, float y) {
    const bool known = x != Landscape::unknown && y != Landscape::unknown;
    return known ? x - y : Landscape::unknown;
  };
  std::ranges::transform(a.loss.values(), b.loss.values(), difference.loss.values().begin(), minus);
  return difference;
}

namespace {

void widen(const Landscape& landscape, Tensor& range) {
  for (const float loss : landscape.loss.values())
    if (std::isfinite(loss)) range(0) = std::min(range(0), loss), range(1) = std::max(range(1), loss);
}

}  // namespace

void addLandscape(const Landscape& landscape, const Landscape* compared, TensorSet& measurements) {
  const int N = landscape.options.side;
  Tensor a({N}), b({N}),
      range({2}, {std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()});
  for (int i = 0; i < N; ++i) a(i) = landscape.a(i), b(i) = landscape.b(i);
  widen(landscape, range);
  if (compared) widen(*compared, range);
  if (range(0) > range(1)) range(0) = 0, range(1) = 1;
  measurements.add(
      {"landscape.loss", "UW", "loss along two random directions in weight space, filter-normalized",
       "L(θ + a·δ + b·η), mean of −log p(target)"},
      landscape.loss);
  measurements.add(
      {"landscape.a", "W", "distance along the first direction, δ", "‖δ_f‖ = ‖θ_f‖ for every filter f"},
      std::move(a));
  measurements.add(
      {"landscape.b", "U", "distance along the second direction, η", "‖η_f‖ = ‖θ_f‖ for every filter f"},
      std::move(b));
  measurements.add({"landscape.range", "1", "smallest and largest loss on the common scale", "min L, max L"},
                   std::move(range));
}

}  // namespace glassformer
