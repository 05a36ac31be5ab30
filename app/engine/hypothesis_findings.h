#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/engine/dataset_metrics.h"
#include "app/engine/searched_texts.h"
#include "core/lens/hypothesis_scores.h"
#include "core/lens/recovered_loss.h"

namespace glassformer {

/// The hypotheses that have a name: the stock, and "any".
struct NamedHypothesis {
  std::string id, meaning;
};
const std::vector<NamedHypothesis>& namedHypotheses();

/// What is asked: a hypothesis of a head.
struct HypothesisQuestion {
  std::string hypothesis;
  HeadId head{-1, -1};
  bool ofEveryHead = false;  ///< the loss
  bool operator==(const HypothesisQuestion&) const = default;
};

/// Hypotheses held against all heads in one go over the texts.
struct HypothesisReading {
  std::vector<HypothesisScores> scores;
  int next = 0;  ///< text
};

/// A hypothesis in a head's place.
using HypothesisReplacement = std::pair<std::string, HeadId>;
struct ReplacedHead {
  RecoveredLoss loss;
  int next = 0;  ///< text
};

/// A text on which the hypothesis fits the head badly, and both rows where it is worst.
struct HypothesisExample {
  HypothesisScores::OfText of;
  std::vector<float> attention, said;
};

/// What was found over the texts by now.
struct HypothesisFindings {
  std::shared_ptr<const Transformer> model;
  std::shared_ptr<const Wording> wording;
  SearchedTexts texts;
  HypothesisReading named, own;  ///< own: of a hypothesis without a name
  std::map<HypothesisReplacement, ReplacedHead> replaced;
  std::optional<std::vector<HypothesisExample>> examples;  ///< once all texts are read

  const HypothesisScores* scoresOf(const std::string& hypothesis) const;
  /// Whether all texts are.
  bool isRead() const;
  /// With the hypothesis in the head's place; null until all texts were so computed.
  const RecoveredLoss* lossOf(const std::string& hypothesis, HeadId head) const;
  /// Those of which lossOf() knows, in the order of their rows in bench::losses.
  std::vector<HypothesisReplacement> knownLosses() const;
  int rowOfLoss(const std::string& hypothesis, HeadId head) const;  ///< −1: none
  /// A text as it was read: without interventions.
  TextAgain textAgain(int text) const;
};

}  // namespace glassformer
