#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glassformer {

enum class ScheduleKind { Constant, Cosine, InverseSqrt };

/// How the learning rate moves over a run. Steps count from 1.
struct Schedule {
  ScheduleKind kind = ScheduleKind::Cosine;
  float peak = 3e-3f;  ///< Constant and Cosine: the highest rate. Transformer2017: a factor on the formula
  int warmup = 100;    ///< steps of linear rise from 0
  int steps = 1000;    ///< Cosine: length of the run
  float floor = 0.1f;  ///< Cosine: what remains at the end, as a share of the peak
  int width = 128;     ///< Transformer2017: the D of its formula

  /// Behind a step, another peak.
  struct Peak {
    int behind;
    float peak;
    bool operator==(const Peak&) const = default;
  };
  std::vector<Peak> later;  ///< Cosine, in order: behind the first it also rises and falls anew

  /// Cosine: linear to the peak, then half a cosine, with a warm restart where there is one (Loshchilov &
  /// Hutter 2017). Transformer2017: D^-0.5 · min(step^-0.5, step · warmup^-1.5) (Vaswani et al. 2017,
  /// section 5.3).
  float rate(int step) const;
  /// What is multiplied into the rate of one stretch, without later peaks: `height`, the peak
  /// (Transformer2017: times D^-0.5), and `shape` of the step.
  double height() const;
  double shape(int step) const;
  /// Cosine: how far a step behind the warm-up lies on the way down, from 0 to 1.
  double wayDown(int step) const;
  /// What the rate follows at a step, without later peaks: the stretch that it lies in, and the step counted
  /// within that.
  std::pair<Schedule, int> stretchAt(int step) const;
  /// The same of another kind, as high as this one where warm-up ends.
  Schedule as(ScheduleKind other) const;

  /// "cosine 0.003 100 1000 0.1 128": kind, then the numbers in the order above, then the later peaks,
  /// "6500 0.001". Exact.
  std::string description() const;
  static std::optional<Schedule> parse(std::string_view description);
  bool operator==(const Schedule&) const = default;
};

/// "constant", "cosine", "transformer2017".
const char* nameOf(ScheduleKind kind);

}  // namespace glassformer
