#pragma once
#include <memory>
#include <vector>

#include "app/document/decoding.h"
#include "app/document/workspace.h"
#include "app/engine/job.h"
#include "app/engine/text_passes.h"
#include "core/decode/beam_search.h"
#include "core/decode/constraint_check.h"
#include "core/decode/sampling.h"
#include "core/model/live_pass.h"

namespace glassformer {

/// Which text is continued, and how.
struct ContinuationKey {
  PassKey pass;
  Decoding decoding;             ///< as far as it is read
  int drawn = 0;                 ///< numbers of the seed before
  ViewSettings settings;         ///< those that are read
  std::vector<Branch> branches;  ///< where they are read
  bool operator==(const ContinuationKey&) const = default;
};

/// What is measured on how a text goes on: a state of ContinuationJob. Those that inherit it say what they
/// read by functions of the same name.
class ContinuedText {
 public:
  /// Whether there is anything to measure on a pass of a model that continues texts. Nothing follows a text
  /// that fills the context.
  static bool isPossible(const ModelConfig& config, const Trace& trace) {
    return trace.tokenCount() < config.context;
  }
  /// What is read of the way of decoding: not which strategy is chosen.
  static Decoding read(Decoding decoding) {
    decoding.strategy = DecodingStrategy::Greedy;
    return decoding;
  }
  static void read(const ViewSettings& /*from*/, ViewSettings& /*to*/) {}
  static constexpr bool readsBranches = false;

 protected:
  ContinuedText(const ContinuationKey& key, const JobSide& side, int threads);

  const ModelConfig& config() const { return model_->config(); }
  /// The model's logits after any text that begins with this one.
  NextTokenLogits logits() const;
  BeamSettings beam() const;
  SamplingSettings sampling(DecodingStrategy strategy) const;
  /// What opens the numbers of texts that the model was asked about.
  TextPasses passes() const { return {model_, interventions_, trace_->source()}; }
  /// The new tokens of greedy decoding, the beam or sampling.
  std::vector<int> continuedBy(DecodingStrategy strategy, const NextTokenLogits& logits) const;

  std::shared_ptr<const Transformer> model_;
  std::shared_ptr<const Trace> trace_;
  Interventions interventions_;
  Decoding decoding_;
  ViewSettings settings_;  // those that are read
  TextEnds endOfText_;
  int drawnBefore_ = 0;  // numbers of the seed
  ConstraintCheck constraint_;
  std::unique_ptr<LivePass> pass_;
};

/// Numbers of the seed that were drawn on the way to a text.
int drawnBefore(const JobSide& side);

/// Such a measurement, as a job.
template <typename Measured>
class ContinuationJob : public JobOfState<ContinuationKey, Measured> {
 public:
  using JobOfState<ContinuationKey, Measured>::JobOfState;

 private:
  std::optional<ContinuationKey> key(const JobSide& side) const override {
    auto pass = side.pass();
    const bool isPossible =
        pass && side.snapshot.model->continues() && Measured::isPossible(side.config(), *pass->trace);
    if (!isPossible) return std::nullopt;
    const Workspace& workspace = side.workspace();
    ContinuationKey key{*std::move(pass), Measured::read(workspace.decoding), drawnBefore(side), {}, {}};
    Measured::read(workspace.settings, key.settings);
    if (Measured::readsBranches) key.branches = workspace.branches;
    return key;
  }
};

}  // namespace glassformer
