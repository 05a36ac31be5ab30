#include "app/engine/hypothesis_findings.h"

#include <algorithm>

namespace glassformer {

const std::vector<NamedHypothesis>& namedHypotheses() {
  static const std::vector<NamedHypothesis> all = [] {
    std::vector<NamedHypothesis> named;
    for (const StockHypothesis& each : stockHypotheses())
      named.push_back({std::string(each.id), std::string(each.meaning)});
    named.push_back({"any", "Attends uniformly to all visible keys."});
    return named;
  }();
  return all;
}

const HypothesisScores* HypothesisFindings::scoresOf(const std::string& hypothesis) const {
  for (const HypothesisReading* reading : {&named, &own})
    for (const HypothesisScores& scores : reading->scores)
      if (scores.hypothesis().text() == hypothesis) return &scores;
  return nullptr;
}

bool HypothesisFindings::isRead() const {
  const auto isDone = [&](const HypothesisReading& reading) {
    return reading.scores.empty() || reading.next == texts.count();
  };
  return isDone(named) && isDone(own);
}

const RecoveredLoss* HypothesisFindings::lossOf(const std::string& hypothesis, HeadId head) const {
  const auto found = replaced.find({hypothesis, head});
  const bool isThere =
      found != replaced.end() && found->second.next == texts.count() && found->second.loss.tokens() > 0;
  return isThere ? &found->second.loss : nullptr;
}

// As the bench reads it: without interventions.
TextAgain HypothesisFindings::textAgain(int text) const {
  return {"text " + std::to_string(text + 1), model, texts[text], {}};
}

// In the order of their rows in bench::losses.
std::vector<HypothesisReplacement> HypothesisFindings::knownLosses() const {
  std::vector<HypothesisReplacement> known;
  for (const auto& [replacement, loss] : replaced)
    if (lossOf(replacement.first, replacement.second)) known.push_back(replacement);
  return known;
}

int HypothesisFindings::rowOfLoss(const std::string& hypothesis, HeadId head) const {
  const auto known = knownLosses();
  const auto found = std::ranges::find(known, HypothesisReplacement{hypothesis, head});
  return found == known.end() ? -1 : static_cast<int>(found - known.begin());
}

}  // namespace glassformer
