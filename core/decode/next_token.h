#pragma once
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "core/model/live_pass.h"

namespace glassformer {

/// What decoding needs of a model: the logits [V] of the token after `tokens` (at least one, at most its
/// context).
using NextTokenLogits = std::function<std::vector<float>(std::span<const int> tokens)>;

/// The last row of a live pass's logits, for a model that has read `source` where it reads one.
NextTokenLogits nextTokenLogits(LivePass& pass, const Interventions& interventions = {},
                                std::span<const int> source = {});

/// Answers of a model that are kept, so that a search that goes the same ways again does not ask again.
class KnownAnswers {
 public:
  /// Asks `model` for what is not known yet. Must not outlive this.
  NextTokenLogits before(NextTokenLogits model);
  void forget() { known_.clear(), numbers_ = 0; }

 private:
  static constexpr std::size_t mostNumbers = std::size_t{1} << 24;  // 64 MiB: what comes then is not kept
  std::map<std::vector<int>, std::vector<float>> known_;
  std::size_t numbers_ = 0;
};

/// log softmax(logits), in double.
std::vector<double> logSoftmax(std::span<const float> logits);

}  // namespace glassformer
