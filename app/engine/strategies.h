#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/decoding.h"
#include "app/engine/best_continuation.h"
#include "app/engine/continued_text.h"
#include "core/decode/exact_search.h"
#include "core/decode/many_samples.h"

namespace glassformer {

/// The strategies that are set side by side, all from the text as it stands.
struct ComparedStrategy {
  const char* id;
  const char* name;
  DecodingStrategy strategy;
  bool narrowed;         ///< of sampling: by the stages that are chosen; else by none
  bool isExact = false;  ///< no strategy: the best that any of them could find
};
inline constexpr std::array comparedStrategies{
    ComparedStrategy{"greedy", "Greedy", DecodingStrategy::Greedy, false},
    ComparedStrategy{"beam", "Beam", DecodingStrategy::Beam, false},
    ComparedStrategy{"exact", "Exact best", DecodingStrategy::Beam, false, true},
    ComparedStrategy{"stages", "Sampling", DecodingStrategy::Sampling, true},
    ComparedStrategy{"plain", "Sampling without filters", DecodingStrategy::Sampling, false},
};

namespace strategies {
inline constexpr int mostListed = 40;
inline constexpr const char
    *token = "strategies.token",              ///< [Y, Z]: what each goes on with; NaN: nothing any more
    *probability = "strategies.probability",  ///< [Y, Z]: p of it, by the model itself
        *total = "strategies.total",          ///< [Y]: Σ ln p
            *exact =
                "strategies.exact",  ///< [2]: calls of the model, and whether nothing better is left to try
                *count = "samples.count",            ///< [Y]: of so many samples these are alike
                    *expected = "samples.expected",  ///< [Y]: as many as their probability says
                        *sampled = "samples.token",  ///< [Y, Z]: what they go on with; NaN: nothing any more
                            *first = "samples.first",  ///< [Y]: the first of them, counted from the seed
                                *found =
                                    "samples.found";  ///< [2]: how many have ended, how many of them differ
}  // namespace strategies

/// The same text continued by every strategy, and by many samples at once, piece by piece.
class StrategyComparison : public ContinuedText {
 public:
  static constexpr const char* doing = "continuing by every strategy";

  using ContinuedText::read;
  static void read(const ViewSettings& from, ViewSettings& to);

  StrategyComparison(const ContinuationKey& key, const JobSide& side, int threads);
  bool goOn(const StartJob& begin, const std::function<void()>& more);
  JobResult result() const;

 private:
  std::vector<int> rowOf(const ComparedStrategy& strategy, const NextTokenLogits& logits) const;
  void addStrategies(TensorSet& set) const;
  void addSamples(TensorSet& set) const;
  void note(int row, const std::vector<int>& tokens, const NextTokenLogits& logits);
  bool isSearched() const { return exact_->isDone() || exact_->calls() >= bestContinuation::mostCalls; }

  int drawn_ = 0;  // samples

  struct Row {
    std::vector<int> tokens;
    std::vector<double> logProbabilities;
  };
  std::array<std::optional<Row>, comparedStrategies.size()> rows_;  // none: not done yet
  std::unique_ptr<ExactSearch> exact_;
  std::unique_ptr<ManySamples> samples_;
};

}  // namespace glassformer
