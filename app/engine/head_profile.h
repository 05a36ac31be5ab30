#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/head_circuits.h"
#include "app/engine/head_detector.h"
#include "app/engine/run_report.h"

namespace glassformer {

struct Workspace;

namespace biography {
inline constexpr const char *steps = "biography.steps",  ///< [Z]: those of the run that are looked at
    *agreement = "biography.agreement";  ///< [Y, Z]: of each of the named rules, and of what was said
                                         ///< where that has no name, after each of these steps
inline constexpr const char *formed =
                                "biography.formed",  ///< [Y]: the step after which the head shares so much
                                                     ///< with each for good; NaN where it never does
    *before = "biography.before",                    ///< [Y]: the last of these steps before that
        *rise = "biography.rise";                    ///< [Y]: how much more it shares in the end
/// A rule is not the head's from the start, nor by chance: what it shares rises by this at least.
inline constexpr float leastRise = 0.2f;
/// Where a line of agreement [Z] forms: the first column from which on it stays above the middle between its
/// least before and its last; empty where it rises by less than that, or is not known throughout.
std::optional<int> whereFormed(const std::vector<float>& agreement);
}  // namespace biography

/// The selected head's life: what the bench knows of it, with all that has a name in its place, and where it
/// looks least evenly, and what its weights alone say (see core/lens/head_circuits.h); of a model in training
/// also how much it shared with every rule after steps of the past, as many as are kept, read from the
/// first of the bench's texts behind the picture: after a few of them first, then after those between.
class HeadProfile final : public BackgroundJob {
 public:
  static constexpr const char* doing = "asking the heads as they were";
  static constexpr int textsOfThePast = 20, mostSteps = 48, firstSteps = 5;

  explicit HeadProfile(int threads) : threads_(threads), bench_(threads, HeadDetector::Losses::OfEveryName) {}

  void show(const MeasuredModel& of, Snapshot& snapshot) const override;
  bool prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) override;
  void measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
               const std::function<void()>& more) override;

 private:
  /// All heads after a step: their mean agreement, by rule and then as bench::agreement has them.
  struct Past {
    StepRing::Values weights;
    std::vector<Tensor> agreement;
  };

  std::vector<std::string> rulesAsked(const Workspace& workspace) const;
  bool isKnown(const RunVariant& side, int step) const;
  Past ask(const RunVariant& side, int step) const;
  bool askAll(const RunVariant& side, const std::vector<int>& steps, const StartJob& begin,
              const std::function<void()>& more);
  std::shared_ptr<const TensorSet> withPast(const MeasuredModel& of, const Snapshot& snapshot) const;

  int threads_;
  HeadDetector bench_;
  CircuitReading circuits_;
  std::vector<std::string> rules_;
  std::string run_;
  std::map<int, Past> past_;  // by step
};

}  // namespace glassformer
