#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/engine/dataset_metrics.h"
#include "app/engine/searched_texts.h"
#include "core/lens/recovered_loss.h"
#include "core/lens/rule_scores.h"

namespace glassformer {

/// The rules that have a name: the stock, and uniform attention.
struct BenchRule {
  std::string id, name, meaning;
};
const std::vector<BenchRule>& benchRules();
/// What a rule is called on screen; of one without a name its text.
std::string nameOfRule(std::string_view rule);

/// What is asked: a rule of a head; and whose loss besides.
struct RuleQuestion {
  std::string rule;
  HeadId head{-1, -1};
  bool ofEveryHead = false;  ///< with the rule in its place
  bool ofEveryRule = false;  ///< that has a name, in the head's place
  bool operator==(const RuleQuestion&) const = default;
};

/// Rules that all heads are compared with in one reading of the texts.
struct RuleReading {
  std::vector<RuleScores> scores;
  int next = 0;  ///< text
};

/// A rule in a head's place.
using RuleReplacement = std::pair<std::string, HeadId>;
struct ReplacedHead {
  RecoveredLoss loss;
  int next = 0;  ///< text
};

/// A text on which the rule fits the head badly, and both rows where it is worst.
struct RuleExample {
  RuleScores::OfText of;
  std::vector<float> attention, said;
};

/// What was found over the texts by now.
struct RuleFindings {
  std::shared_ptr<const Transformer> model;
  std::shared_ptr<const Wording> wording;
  std::shared_ptr<const SearchedTexts> texts;
  RuleReading named, own;  ///< own: of a rule without a name
  std::map<RuleReplacement, ReplacedHead> replaced;
  std::optional<std::vector<RuleExample>> examples;  ///< once all texts are read

  const RuleScores* scoresOf(const std::string& rule) const;
  /// Whether all texts are.
  bool isRead() const;
  /// With the rule in the head's place; null until all texts were so computed.
  const RecoveredLoss* lossOf(const std::string& rule, HeadId head) const;
  /// Those of which lossOf() knows, in the order of their rows in bench::losses.
  std::vector<RuleReplacement> knownLosses() const;
  int rowOfLoss(const std::string& rule, HeadId head) const;  ///< −1: none
  /// A text as it was read: without interventions.
  TextAgain textAgain(int text) const;
};

}  // namespace glassformer
