#pragma once
#include <vector>

#include "core/lens/head_hypotheses.h"
#include "core/lens/head_id.h"

namespace glassformer {

/// How well a hypothesis fits a head, over several texts.
struct HeadFit {
  HeadId head;
  double mean = 0;       ///< of the claimed attention, over the texts
  double deviation = 0;  ///< its sample standard deviation over them; 0 of one text
  int texts = 0;         ///< in which the hypothesis claims something
};

/// Scores every head of every attention by every one of the headHypotheses(), text after text. For models
/// that attend.
class HeadFinder {
 public:
  explicit HeadFinder(const ModelConfig& config);

  void add(const Trace& trace);
  /// The fit of every head to hypothesis `index` of the table, best first; without those of an attention in
  /// which no text gave it anything to claim.
  std::vector<HeadFit> fits(std::size_t index) const;

 private:
  ModelConfig config_;
  std::vector<std::vector<HeadFit>> fits_;  // [hypothesis][head]; `deviation` holds a sum of squares
};

}  // namespace glassformer
