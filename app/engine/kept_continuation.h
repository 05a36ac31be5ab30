#pragma once
#include <memory>
#include <vector>

#include "app/document/decoding.h"
#include "app/engine/need.h"
#include "app/engine/text_passes.h"
#include "core/decode/beam_search.h"
#include "core/decode/constraint_check.h"
#include "core/decode/sampling.h"
#include "core/model/live_pass.h"

namespace glassformer {

/// What is measured on how the open text goes on. Knows what it was taken up for: a pass of a model with its
/// interventions, a way of decoding, and those settings that a picture's need reads; when any of these
/// becomes another, it begins anew.
class KeptContinuation : public BackgroundJob {
 public:
  void show(const MeasuredModel& of, Snapshot& snapshot) const final;
  bool prepare(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) final;
  void measure(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin,
               const std::function<void()>& more) final;

 protected:
  /// `reads` copies the settings that decide what is measured, as the need's does; null: none does.
  KeptContinuation(int threads, void (*reads)(const ViewSettings& from, ViewSettings& to))
      : threads_(threads), reads_(reads) {}

  // What a measurement says of itself.

  /// Whether there is anything to measure on a pass of a model that goes on with texts; else a text that
  /// fills the context has nothing behind it.
  virtual bool isPossible(const ModelConfig& config, const Trace& trace) const {
    return trace.tokenCount() < config.context;
  }
  /// Whether two ways of decoding are one to it; else which strategy is chosen makes no difference.
  virtual bool decodesAlike(Decoding a, const Decoding& b) const {
    a.strategy = b.strategy;
    return a == b;
  }
  /// Whether what else it was taken up for is still the same.
  virtual bool isStillOf(const MeasuredModel&) const { return true; }
  /// Begins anew: all that is named below is another's already.
  virtual void takeUp(const MeasuredModel& of, const Snapshot& snapshot, const StartJob& begin) = 0;
  /// Goes on until all is there or it is stopped; calls `more` whenever there is more to show.
  virtual void goOn(const StartJob& begin, const std::function<void()>& more) = 0;
  /// As far as it is measured; null: nothing is.
  virtual std::shared_ptr<const TensorSet> measured() const = 0;
  /// Why nothing can be.
  virtual std::string missing() const { return ""; }
  /// Models that it could be measured with.
  virtual std::vector<OfferedModel> offered() const { return {}; }

  // What they need for it.

  const ModelConfig& config() const { return model_->config(); }
  /// What the model says to any text that goes on with this one.
  NextTokenLogits logits() const;
  BeamSettings beam() const;
  SamplingSettings sampling(DecodingStrategy strategy) const;
  /// What opens the numbers of texts that the model was asked about.
  TextPasses passes() const { return {model_, interventions_, trace_->source()}; }
  /// The new tokens with which greedy decoding, the beam or sampling goes on.
  std::vector<int> continuedBy(DecodingStrategy strategy, const NextTokenLogits& logits) const;

  int threads_;
  std::shared_ptr<const Transformer> model_;
  std::shared_ptr<const Trace> trace_;  // null: nothing was taken up yet
  Interventions interventions_;
  Decoding decoding_;
  ViewSettings settings_;  // those that are read
  TextEnds endOfText_;
  int drawn_ = 0;  // numbers of the seed
  ConstraintCheck constraint_;
  std::unique_ptr<LivePass> pass_;

 private:
  int drawnOf(const MeasuredModel& of, const Snapshot& snapshot) const;
  bool isOf(const MeasuredModel& of, const Snapshot& snapshot) const;
  ViewSettings read(const ViewSettings& settings) const;

  void (*reads_)(const ViewSettings& from, ViewSettings& to);
};

}  // namespace glassformer
