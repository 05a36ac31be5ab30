#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "core/tensor/thread_pool.h"
#include "core/trace/tensor_set.h"
#include "core/train/trainer.h"
#include "core/watch.h"

namespace glassformer {

/// What a loss is measured on: batches of one shape.
struct LossData {
  int sequences = 0, positions = 0, sourcePositions = 0;  ///< B, T and S of each batch
  std::vector<Batch> batches;
};

struct LandscapeOptions {
  int side = 25;           ///< N points along each direction; odd, so that one is the trained weights
  float radius = 1;        ///< r: from −r to r
  std::uint64_t seed = 1;  ///< of the directions

  bool operator==(const LandscapeOptions&) const = default;
};

/// The loss over a plane of weight space, L(θ + a·δ + b·η) on a grid (Li, Xu, Taylor, Studer & Goldstein
/// 2018, "Visualizing the loss landscape of neural nets").
struct Landscape {
  /// Of points that are not measured yet: no loss is below 0.
  static constexpr float unknown = -std::numeric_limits<float>::infinity();

  LandscapeOptions options;
  Tensor loss;  ///< [U, W], b falling from r to −r down the rows, a rising from −r to r along them

  /// The step along a direction at point i of N; exactly 0 in the middle.
  float step(int i) const {
    return options.radius * static_cast<float>(2 * i - options.side + 1) /
           static_cast<float>(options.side - 1);
  }
  float a(int column) const { return step(column); }
  float b(int row) const { return step(options.side - 1 - row); }
};

/// The sides of grids over the same plane, each with all points of the one before and the trained weights in
/// the middle; the last has `side` points along each direction.
std::vector<int> landscapeLevels(int side);

/// Measures a landscape point by point, level by level, and keeps what it has when it is stopped. Every point
/// is computed by one thread alone, so its bits do not depend on how many there are. A loss that is no
/// number, or infinite, is kept as it is.
class LandscapeSurvey {
 public:
  /// Copies the weights. Dropout is off.
  LandscapeSurvey(const ModelConfig& config, const Parameters& weights, LossData data,
                  const LandscapeOptions& options, int threads);
  ~LandscapeSurvey();

  /// The finest level that is measured whole; 0: none is.
  int known() const;
  /// What is measured on one of the levels.
  Landscape landscape(int side) const;
  Landscape landscape() const { return landscape(landscape_.options.side); }
  int done() const { return done_; }
  int total() const { return static_cast<int>(order_.size()); }
  bool finished() const { return done_ == total(); }
  /// Goes on until every point of a level is measured or the watch says no. `measured` is called after every
  /// few points.
  void run(
      int side, const ProgressCallback& watch, const std::function<void()>& measured = [] {});
  void run(
      const ProgressCallback& watch, const std::function<void()>& measured = [] {}) {
    run(landscape_.options.side, watch, measured);
  }

 private:
  class Traveller;

  LossData data_;
  Landscape landscape_;
  Parameters weights_, delta_, eta_;
  std::vector<int> order_;  // of the points, by row and column: level by level
  int done_ = 0;
  ThreadPool team_;
  std::vector<std::unique_ptr<Traveller>> travellers_;
};

/// What one landscape is minus another one of the same options.
Landscape landscapeDifference(const Landscape& a, const Landscape& b);

/// Adds
///   landscape.loss [U, W]  L(θ + a·δ + b·η) in nats; −∞ where it is not measured yet
///   landscape.a [W]        the steps along δ
///   landscape.b [U]        the steps along η
///   landscape.range [2]    the least and the greatest finite loss of this landscape and, where there is one,
///                          of that which it is compared with: the ends of a scale for both
void addLandscape(const Landscape& landscape, const Landscape* compared, TensorSet& measurements);

}  // namespace glassformer
