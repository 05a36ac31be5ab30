#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/decode/beam_search.h"

namespace glassformer {

/// The continuation with the highest score that there is, by trying all that could have it: depth first, the
/// most probable token first, and without those whose score can no longer come up to the best that is known
/// (as Stahlberg and Byrne 2019 measure the errors of beam search). Scores are those of beamSearch() with the
/// same depth, length penalty, end of the text, context and constraint.
class ExactSearch {
 public:
  ExactSearch(std::vector<int> prompt, const BeamSettings& settings);

  /// The best that is known from elsewhere, as the path of a beam: the better it is, the less is tried.
  void know(std::vector<int> tokens, double cumulative);
  bool isDone() const { return open_.empty(); }
  /// Asks the model once; before isDone() only.
  void advance(const NextTokenLogits& logits);

  const std::vector<int>& best() const { return best_; }
  double score() const { return score_; }  ///< of the best
  int calls() const { return calls_; }     ///< of the model, so far

 private:
  struct Prefix {
    std::vector<int> tokens;
    double cumulative = 0;
  };
  double scoreOf(const Prefix& prefix) const;
  /// At least the score of whatever begins so.
  double boundOf(const Prefix& prefix) const;
  bool isWhole(const Prefix& prefix) const;
  void dropBeaten();

  std::vector<int> prompt_;
  BeamSettings settings_;
  int deepest_;
  std::vector<Prefix> open_;  // the next one last
  std::vector<int> best_;
  double score_;
  int calls_ = 0;
};

}  // namespace glassformer
