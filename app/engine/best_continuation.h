#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "app/engine/continued_text.h"
#include "core/decode/exact_search.h"

namespace glassformer {

namespace bestContinuation {
inline constexpr int mostCalls = 2000;              ///< of the model, to find the best there is
inline constexpr const char* token = "best.token";  ///< [Z]: what it goes on with; NaN: nothing any more
inline constexpr const char* score = "best.score";  ///< [2]: what is ranked by: its own, and the beam's best
inline constexpr const char* calls = "best.calls";  ///< [2]: of the model, and whether nothing is left to try
inline constexpr const char* greedy =
    "best.greedy";  ///< [Z]: what greedy decoding goes on with; NaN: nothing
inline constexpr const char* total =
    "best.total";  ///< [2]: Σ ln p of greedy's tokens, and of the beam's best
}  // namespace bestContinuation

/// The continuation with the highest score that there is, beside the one that the beam found: what search
/// misses, the model is not to blame for (Stahlberg and Byrne 2019). And what greedy decoding goes on with,
/// to its end, which the tree no longer has where the beam left it. Nothing, while the tree begins elsewhere
/// than where the text ends.
class BestContinuation : public ContinuedText {
 public:
  static constexpr const char* doing = "searching the best there is";

  BestContinuation(const ContinuationKey& key, const JobSide& side, int threads);
  bool goOn(const StartJob& begin, const std::function<void()>& more);
  JobResult result() const;

 private:
  OpenPasses totalOf(const std::vector<int>& added, double alpha) const;
  Tensor padded(const std::vector<int>& tokens) const;
  void addGreedy(const NextTokenLogits& logits);

  std::unique_ptr<ExactSearch> search_;  // null: the tree begins elsewhere
  std::vector<int> beamsBest_;
  double beamScore_ = 0, beamTotal_ = 0, greedyTotal_ = 0;
  std::optional<std::vector<int>> greedy_;  // nothing: it was not decoded yet
};

}  // namespace glassformer
