#pragma once
#include <string>
#include <vector>

#include "app/document/decoding.h"
#include "app/engine/declinable.h"
#include "app/engine/decoded.h"
#include "app/engine/progress.h"
#include "app/engine/shown_pass.h"
#include "core/decode/beam_search.h"
#include "core/decode/constraint_check.h"
#include "core/decode/sampling.h"
#include "core/model/live_pass.h"

namespace glassformer {

struct Workspace;

/// What follows a text has to be this; a pattern that is none takes nothing out.
ConstraintCheck constraintOn(const Decoding& decoding, std::shared_ptr<const Tokenizer> tokenizer,
                             std::string_view text);

/// The search that a text is gone on with by.
BeamSettings beamSettings(const Decoding& decoding, int endOfText, int context, ConstraintCheck constraint);

/// How a strategy draws tokens one by one; the beam draws none.
SamplingSettings samplingSettings(DecodingStrategy strategy, const Decoding& decoding,
                                  ConstraintCheck constraint);

/// The decoding half of the engine: the beam tree, and the tokens that the chosen strategy appends. Both are
/// kept while nothing they depend on changed.
class Decoder : public Declinable {
 public:
  Decoder(LivePass& pass, std::shared_ptr<const Tokenizer> tokenizer)
      : pass_(pass), tokenizer_(std::move(tokenizer)) {}

  /// What decoding makes of a pass that has a trace. What it begins is told of every call of the model;
  /// stopped, it returns null.
  std::shared_ptr<const Decoded> decode(const ShownPass& pass, const Workspace& workspace,
                                        const Begin& begin);

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
  Decoded decoded_;       // as far as it is known
};

}  // namespace glassformer
