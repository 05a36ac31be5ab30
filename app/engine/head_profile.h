#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/head_detector.h"
#include "app/engine/run_report.h"

namespace glassformer {

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

/// Of the selected head: how well every rule that has a name fits, what each recovers in its place, and the
/// texts where the head looks least evenly.
class ProfiledRules final : public HeadDetector {
 public:
  using HeadDetector::HeadDetector;

 private:
  RuleQuestion asked(const JobSide& side) const override;
};

/// Of which run a head's history is asked, with which rules, over which texts.
struct HeadHistoryKey {
  std::string run;
  std::vector<std::string> rules;
  Corpus corpus;
  bool operator==(const HeadHistoryKey&) const = default;
};

/// What all heads had in common with rules after steps of training.
struct HeadHistoryState {
  /// After a step: the mean overlap by rule, and then as bench::agreement has them.
  struct Past {
    StepRing::Values weights;
    std::vector<Tensor> agreement;
  };

  std::shared_ptr<const SearchedTexts> texts;
  std::shared_ptr<const Wording> wording;
  std::map<int, Past> past;  // by step

  bool isKnown(const RunVariant& run, int step) const;
};

/// Of a model in training: how much the selected head shared with every rule after steps of the past, as many
/// as are kept, over the first of the texts that are searched: after the first and the last step, then
/// between.
class HeadHistory final : public Job<HeadHistoryKey, HeadHistoryState> {
 public:
  static constexpr const char* doing = "asking the heads as they were";
  static constexpr int textsOfThePast = 20, mostSteps = 48;

  explicit HeadHistory(int threads) : threads_(threads) {}

 private:
  std::optional<HeadHistoryKey> key(const JobSide& side) const override;
  std::unique_ptr<HeadHistoryState> start(const HeadHistoryKey& key, const JobSide& side,
                                          const StartJob& begin) override;
  bool goOn(const HeadHistoryKey& key, HeadHistoryState& state, const JobSide& side, const StartJob& begin,
            const std::function<void()>& more) override;
  JobResult result(const HeadHistoryKey& key, const HeadHistoryState& state,
                   const JobSide& side) const override;
  HeadHistoryState::Past ask(const HeadHistoryKey& key, const HeadHistoryState& state, const RunVariant& run,
                             int step) const;

  int threads_;
};

}  // namespace glassformer
