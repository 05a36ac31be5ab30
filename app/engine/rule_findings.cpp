#include "app/engine/rule_findings.h"

#include <algorithm>

namespace glassformer {

const std::vector<BenchRule>& benchRules() {
  static const std::vector<BenchRule> all = [] {
    std::vector<BenchRule> named;
    for (const NamedRule& each : namedRules())
      named.push_back({std::string(each.id), std::string(each.name), std::string(each.meaning)});
    named.push_back({"any", "uniform", "Attends uniformly to all visible keys."});
    return named;
  }();
  return all;
}

std::string nameOfRule(std::string_view rule) {
  const auto found = std::ranges::find(benchRules(), rule, &BenchRule::id);
  return found == benchRules().end() ? std::string(rule) : found->name;
}

const RuleScores* RuleFindings::scoresOf(const std::string& rule) const {
  for (const RuleReading* reading : {&named, &own})
    for (const RuleScores& scores : reading->scores)
      if (scores.rule().text() == rule) return &scores;
  return nullptr;
}

bool RuleFindings::isRead() const {
  const auto isDone = [&](const RuleReading& reading) {
    return reading.scores.empty() || reading.next == texts->count();
  };
  return isDone(named) && isDone(own);
}

const RecoveredLoss* RuleFindings::lossOf(const std::string& rule, HeadId head) const {
  const auto found = replaced.find({rule, head});
  const bool isThere =
      found != replaced.end() && found->second.next == texts->count() && found->second.loss.tokens() > 0;
  return isThere ? &found->second.loss : nullptr;
}

// As the bench reads it: without interventions.
TextAgain RuleFindings::textAgain(int text) const {
  return {"text " + std::to_string(text + 1), model, (*texts)[text], {}};
}

// In the order of their rows in bench::losses.
std::vector<RuleReplacement> RuleFindings::knownLosses() const {
  std::vector<RuleReplacement> known;
  for (const auto& [replacement, loss] : replaced)
    if (lossOf(replacement.first, replacement.second)) known.push_back(replacement);
  return known;
}

int RuleFindings::rowOfLoss(const std::string& rule, HeadId head) const {
  const auto known = knownLosses();
  const auto found = std::ranges::find(known, RuleReplacement{rule, head});
  return found == known.end() ? -1 : static_cast<int>(found - known.begin());
}

}  // namespace glassformer
