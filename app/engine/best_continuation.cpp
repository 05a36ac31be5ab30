#include "app/engine/best_continuation.h"

#include <cmath>

#include "app/engine/snapshot.h"

namespace glassformer {

void BestContinuation::takeUp(const MeasuredModel&, const Snapshot& snapshot, const Begin&) {
  search_.reset();
  const std::shared_ptr<const BeamTree>& tree = snapshot.decoded->beam;
  if (!tree || tree->best < 0 || snapshot.decoded->root != snapshot.pass->text) return;
  const BeamNode& best = tree->nodes[static_cast<std::size_t>(tree->best)];
  beamScore_ = best.score;
  search_ = std::make_unique<ExactSearch>(trace_->tokens(), beam());
  search_->know(tree->path(tree->best), best.cumulative);
}

void BestContinuation::goOn(const Begin& begin, const std::function<void()>& more) {
  constexpr int callsShown = 64;
  const auto isSearched = [&] {
    return search_->isDone() || search_->calls() >= bestContinuation::mostCalls;
  };
  if (!search_ || isSearched()) return;
  const Watch watch = begin(doing);
  const NextTokenLogits logits = this->logits();
  while (!isSearched()) {
    if (!watch(search_->calls(), bestContinuation::mostCalls)) return;
    search_->advance(logits);
    if (isSearched() || search_->calls() % callsShown == 0) more();
  }
}

std::shared_ptr<const TensorSet> BestContinuation::measured() const {
  if (!search_) return nullptr;
  auto set = std::make_shared<TensorSet>();
  const std::vector<int>& best = search_->best();
  Tensor tokens({decoding_.depth}, std::vector<float>(static_cast<std::size_t>(decoding_.depth), NAN));
  for (std::size_t i = 0; i < best.size(); ++i) tokens(static_cast<int>(i)) = static_cast<float>(best[i]);
  set->add({bestContinuation::token, "Z", "what scores highest of all continuations that were tried", ""},
           std::move(tokens));
  set->add(
      {bestContinuation::score, "2", "the highest score found, and that of the beam's best", "Σ ln p / nᵅ"},
      Tensor({2}, {static_cast<float>(search_->score()), static_cast<float>(beamScore_)}));
  set->add({bestContinuation::calls, "2", "how often the model was asked, and whether nothing is left to try",
            "proved: nothing else can score as high"},
           Tensor({2}, {static_cast<float>(search_->calls()), search_->isDone() ? 1.0f : 0.0f}));
  return set;
}

}  // namespace glassformer
