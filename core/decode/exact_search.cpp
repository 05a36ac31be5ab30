#include "core/decode/exact_search.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace glassformer {

ExactSearch::ExactSearch(std::vector<int> prompt, const BeamSettings& settings)
    : prompt_(std::move(prompt)),
      settings_(settings),
      deepest_(std::min(settings.depth, settings.context - static_cast<int>(prompt_.size()))),
      score_(-std::numeric_limits<double>::infinity()) {
  if (deepest_ > 0) open_.push_back({});
}

double ExactSearch::scoreOf(const Prefix& prefix) const {
  return prefix.cumulative / std::pow(static_cast<double>(prefix.tokens.size()), settings_.lengthPenalty);
}

// Σ log p only falls, and divided by nᵅ it is highest where n is largest.
double ExactSearch::boundOf(const Prefix& prefix) const {
  return prefix.cumulative / std::pow(static_cast<double>(deepest_), settings_.lengthPenalty);
}

bool ExactSearch::isWhole(const Prefix& prefix) const {
  return static_cast<int>(prefix.tokens.size()) == deepest_ ||
         settings_.endOfText.contains(prefix.tokens.back());
}

void ExactSearch::know(std::vector<int> tokens, double cumulative) {
  const Prefix known{std::move(tokens), cumulative};
  if (known.tokens.empty() || scoreOf(known) <= score_) return;
  score_ = scoreOf(known), best_ = known.tokens;
  dropBeaten();
}

void ExactSearch::dropBeaten() {
  while (!open_.empty() && boundOf(open_.back()) <= score_) open_.pop_back();
}

void ExactSearch::advance(const NextTokenLogits& logits) {
  assert(!isDone());
  const Prefix prefix = std::move(open_.back());
  open_.pop_back();
  std::vector<int> text = prompt_;
  text.insert(text.end(), prefix.tokens.begin(), prefix.tokens.end());
  const std::vector<double> logProbability = logSoftmax(logits(text));
  const int vocabulary = static_cast<int>(logProbability.size());
  ++calls_;
  const bool isFree = settings_.constraint.isOff();
  const std::vector<bool> may =
      isFree ? std::vector<bool>{} : settings_.constraint.allowed(prefix.tokens, vocabulary);

  std::vector<Prefix> next;
  bool goesOn = false;
  for (int token = 0; token < vocabulary; ++token) {
    if (!isFree && !may[static_cast<std::size_t>(token)]) continue;
    goesOn = true;
    Prefix longer{prefix.tokens, prefix.cumulative + logProbability[static_cast<std::size_t>(token)]};
    if (boundOf(longer) <= score_) continue;
    longer.tokens.push_back(token);
    if (isWhole(longer))
      know(longer.tokens, longer.cumulative);
    else
      next.push_back(std::move(longer));
  }
  if (!goesOn) know(prefix.tokens, prefix.cumulative);  // a text that nothing goes on from is whole
  std::ranges::stable_sort(next, {}, &Prefix::cumulative);
  for (Prefix& each : next) open_.push_back(std::move(each));
  dropBeaten();
}

}  // namespace glassformer
