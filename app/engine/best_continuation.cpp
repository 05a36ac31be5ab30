#include "app/engine/best_continuation.h"

#include <cmath>

#include "app/engine/snapshot.h"

namespace glassformer {

BestContinuation::BestContinuation(const ContinuationKey& key, const JobSide& side, int threads)
    : ContinuedText(key, side, threads) {
  const Decoded& decoded = *side.snapshot.decoded;
  const std::shared_ptr<const BeamTree>& tree = decoded.beam;
  if (!tree || tree->best < 0 || decoded.root != side.snapshot.pass->text) return;
  const BeamNode& best = tree->nodes[static_cast<std::size_t>(tree->best)];
  beamScore_ = best.score, beamTotal_ = best.cumulative;
  search_ = std::make_unique<ExactSearch>(trace_->tokens(), beam());
  beamsBest_ = tree->path(tree->best);
  search_->know(beamsBest_, best.cumulative);
}

bool BestContinuation::goOn(const StartJob& begin, const std::function<void()>& more) {
  constexpr int callsShown = 64;
  const auto isSearched = [&] {
    return search_->isDone() || search_->calls() >= bestContinuation::mostCalls;
  };
  if (!search_ || (greedy_ && isSearched())) return true;
  const ProgressCallback watch = begin(doing);
  const NextTokenLogits logits = this->logits();
  if (!greedy_) addGreedy(logits), more();
  while (!isSearched()) {
    if (!watch(search_->calls(), bestContinuation::mostCalls)) return false;
    search_->advance(logits);
    if (isSearched() || search_->calls() % callsShown == 0) more();
  }
  return true;
}

void BestContinuation::addGreedy(const NextTokenLogits& logits) {
  greedy_ = continuedBy(DecodingStrategy::Greedy, logits);
  greedyTotal_ = 0;
  std::vector<int> read = trace_->tokens();
  for (const int token : *greedy_) {
    greedyTotal_ += logSoftmax(logits(read))[static_cast<std::size_t>(token)];
    read.push_back(token);
  }
}

Tensor BestContinuation::padded(const std::vector<int>& tokens) const {
  Tensor row({decoding_.depth}, std::vector<float>(static_cast<std::size_t>(decoding_.depth), NAN));
  for (std::size_t i = 0; i < tokens.size(); ++i) row(static_cast<int>(i)) = static_cast<float>(tokens[i]);
  return row;
}

// Σ ln p / nᵅ of what was added to the text.
OpenPasses BestContinuation::totalOf(const std::vector<int>& added, double alpha) const {
  std::vector<int> text = trace_->tokens();
  text.insert(text.end(), added.begin(), added.end());
  return passes().logProbability(std::move(text), trace_->tokenCount(),
                                 static_cast<float>(std::pow(static_cast<double>(added.size()), -alpha)));
}

JobResult BestContinuation::result() const {
  if (!search_) return {};
  // Of two ways of going on, what opens the number of each.
  const auto ofEither = [](OpenPasses first, OpenPasses second) -> TensorSet::AcrossOf {
    return [=](const auto& at) { return at[0] == 0 ? first : second; };
  };
  auto set = std::make_shared<TensorSet>();
  set->add({bestContinuation::token, "Z", "best continuation of all that were tried", ""},
           padded(search_->best()));
  if (greedy_) {
    set->add({bestContinuation::greedy, "Z", "continuation by greedy decoding", "argmax p, token by token"},
             padded(*greedy_));
    set->addAcross(
        {bestContinuation::total, "2",
         "log probability of the whole continuation: greedy, and the best of beam search", "Σ ln p"},
        Tensor({2}, {static_cast<float>(greedyTotal_), static_cast<float>(beamTotal_)}),
        ofEither(totalOf(*greedy_, 0), totalOf(beamsBest_, 0)));
  }
  const double alpha = decoding_.lengthPenalty;
  set->addAcross(
      {bestContinuation::score, "2", "the highest score found, and that of the beam's best", "Σ ln p / nᵅ"},
      Tensor({2}, {static_cast<float>(search_->score()), static_cast<float>(beamScore_)}),
      ofEither(totalOf(search_->best(), alpha), totalOf(beamsBest_, alpha)));
  set->add({bestContinuation::calls, "2", "number of forward passes, and 1 if nothing is left to try",
            "proved: no other continuation scores as high"},
           Tensor({2}, {static_cast<float>(search_->calls()), search_->isDone() ? 1.0f : 0.0f}));
  return {std::move(set)};
}

}  // namespace glassformer
