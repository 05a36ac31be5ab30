#include "app/engine/continued_text.h"

#include "app/engine/decoder.h"
#include "app/engine/open_model.h"

namespace glassformer {

int drawnBefore(const JobSide& side) {
  return decodedBefore(side.workspace().way, {side.snapshot.pass->text, side.snapshot.pass->source},
                       *side.of.model.shown->tokenizer);
}

ContinuedText::ContinuedText(const ContinuationKey& key, const JobSide& side, int threads)
    : model_(key.pass.model),
      trace_(key.pass.trace),
      interventions_(key.pass.interventions),
      decoding_(key.decoding),
      settings_(key.settings),
      endOfText_(textEnds(*side.of.model.shown->tokenizer)),
      drawnBefore_(key.drawn),
      constraint_(constraintOn(decoding_, side.of.model.shown->tokenizer, side.snapshot.pass->text, config(),
                               trace_->tokenCount())),
      pass_(std::make_unique<LivePass>(model_, threads)) {}

NextTokenLogits ContinuedText::logits() const {
  return nextTokenLogits(*pass_, interventions_, trace_->source());
}

BeamSettings ContinuedText::beam() const {
  return beamSettings(decoding_, endOfText_, config().context, constraint_);
}

SamplingSettings ContinuedText::sampling(DecodingStrategy strategy) const {
  return samplingSettings(strategy, decoding_, constraint_, drawnBefore_);
}

std::vector<int> ContinuedText::continuedBy(DecodingStrategy strategy, const NextTokenLogits& logits) const {
  if (strategy == DecodingStrategy::Beam) {
    const BeamTree tree = beamSearch(logits, trace_->tokens(), beam());
    return tree.path(tree.best);
  }
  return generate(logits, trace_->tokens(), decoding_.depth, sampling(strategy), config().context,
                  endOfText_);
}

}  // namespace glassformer
