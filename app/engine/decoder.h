#pragma once
#include <string>
#include <vector>

#include "app/document/workspace.h"
#include "app/engine/declinable.h"
#include "app/engine/progress.h"
#include "app/engine/snapshot.h"
#include "core/decode/beam_search.h"
#include "core/decode/constraint_check.h"
#include "core/model/live_pass.h"

namespace glassformer {

/// What follows a text has to be this; a pattern that is none takes nothing out.
ConstraintCheck constraintOn(const Decoding& decoding, std::shared_ptr<const Tokenizer> tokenizer,
                             std::string_view text);

/// The search that a text is gone on with by.
BeamSettings beamSettings(const Decoding& decoding, int endOfText, int context, ConstraintCheck constraint);

/// The decoding half of the engine: the beam tree, and the tokens that the chosen strategy appends. Both are
/// kept while nothing they depend on changed.
class Decoder : public Declinable {
 public:
  Decoder(LivePass& pass, std::shared_ptr<const Tokenizer> tokenizer)
      : pass_(pass), tokenizer_(std::move(tokenizer)) {}

  /// Fills in what decoding makes of `tokens`, of which the snapshot's text consists, by a model that reads
  /// `source` where it reads one. What it begins is told of every call of the model; stopped, it returns
  /// false and leaves the snapshot as it was.
  bool decode(const std::vector<int>& tokens, const std::vector<int>& source, const Workspace& workspace,
              Snapshot& snapshot, const Begin& begin);

 private:
  bool growBeam(const Begin& begin);
  bool continueText(const Begin& begin);
  void takeBest();
  bool generateTokens(const Begin& begin);

  LivePass& pass_;
  std::shared_ptr<const Tokenizer> tokenizer_;
  std::vector<int> tokens_, source_;  // what the results below are of
  Interventions interventions_;
  Decoding decoding_;
  ConstraintCheck constraint_;
  KnownAnswers answers_;  // about these tokens: penalties rank anew without the model
  std::shared_ptr<const BeamTree> beam_;
  std::shared_ptr<const TensorSet> beamMeasurements_;
  std::vector<int> continuation_;
  std::shared_ptr<const TensorSet> continuationMeasurements_;
};

}  // namespace glassformer
