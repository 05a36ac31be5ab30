#include "app/engine/kept_continuation.h"

#include "app/document/workspace.h"
#include "app/engine/decoder.h"
#include "app/engine/open_model.h"
#include "app/engine/shown_run.h"

namespace glassformer {

ViewSettings KeptContinuation::read(const ViewSettings& settings) const {
  ViewSettings own;
  if (reads_) reads_(settings, own);
  return own;
}

int KeptContinuation::drawnOf(const MeasuredModel& of, const Snapshot& snapshot) const {
  return decodedBefore(of.workspace.way, {snapshot.pass->text, snapshot.pass->source},
                       *of.model.shown->tokenizer);
}

bool KeptContinuation::isOf(const MeasuredModel& of, const Snapshot& snapshot) const {
  return trace_ && model_ == of.model.shown->transformer && trace_ == snapshot.pass->trace &&
         interventions_ == of.workspace.interventions && drawn_ == drawnOf(of, snapshot) &&
         decodesAlike(decoding_, of.workspace.decoding) && settings_ == read(of.workspace.settings) &&
         isStillOf(of);
}

void KeptContinuation::show(const MeasuredModel& of, Snapshot& snapshot) const {
  put(snapshot, isOf(of, snapshot) ? JobResult{measured(), missing(), offered()} : JobResult{},
      ofOpenTextAlone());
}

bool KeptContinuation::prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) {
  const bool isThere = snapshot.pass->hasTrace() && !snapshot.isDifference() && snapshot.model->continues() &&
                       isPossible(of.model.config(), *snapshot.pass->trace);
  if (!isThere || isMoving(of.workspace, snapshot) || isOf(of, snapshot)) return false;
  if (model_ != of.model.shown->transformer) {
    model_ = of.model.shown->transformer;
    pass_ = std::make_unique<LivePass>(model_, threads_);
  }
  trace_ = snapshot.pass->trace, interventions_ = of.workspace.interventions,
  decoding_ = of.workspace.decoding, drawn_ = drawnOf(of, snapshot);
  settings_ = read(of.workspace.settings);
  endOfText_ = textEnds(*of.model.shown->tokenizer);
  constraint_ = constraintOn(decoding_, of.model.shown->tokenizer, snapshot.pass->text, of.model.config(),
                             trace_->tokenCount());
  takeUp(of, snapshot, begin);
  return true;
}

void KeptContinuation::measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
                               const std::function<void()>& more) {
  if (isOf(of, snapshot)) goOn(begin, more);
}

NextTokenLogits KeptContinuation::logits() const {
  return nextTokenLogits(*pass_, interventions_, trace_->source());
}

BeamSettings KeptContinuation::beam() const {
  return beamSettings(decoding_, endOfText_, config().context, constraint_);
}

SamplingSettings KeptContinuation::sampling(DecodingStrategy strategy) const {
  return samplingSettings(strategy, decoding_, constraint_, drawn_);
}

std::vector<int> KeptContinuation::continuedBy(DecodingStrategy strategy,
                                               const NextTokenLogits& logits) const {
  if (strategy == DecodingStrategy::Beam) {
    const BeamTree tree = beamSearch(logits, trace_->tokens(), beam());
    return tree.path(tree.best);
  }
  return generate(logits, trace_->tokens(), decoding_.depth, sampling(strategy), config().context,
                  endOfText_);
}

}  // namespace glassformer
