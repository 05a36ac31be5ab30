#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/document/decoding.h"
#include "app/engine/cancellable.h"
#include "app/engine/decoded.h"
#include "app/engine/progress.h"
#include "app/engine/shown_pass.h"
#include "core/decode/beam_search.h"
#include "core/decode/constraint_check.h"
#include "core/decode/sampling.h"
#include "core/model/live_pass.h"

namespace glassformer {

struct DecodeHistory;
struct Workspace;

/// What follows a text, of which the model has read so many tokens, has to be this; a pattern that is none
/// takes nothing out.
ConstraintCheck constraintOn(const Decoding& decoding, std::shared_ptr<const Tokenizer> tokenizer,
                             std::string_view text, const ModelConfig& config, int read);

/// The search that a text is gone on with by.
BeamSettings beamSettings(const Decoding& decoding, const TextEnds& ends, int context,
                          ConstraintCheck constraint);

/// How a strategy draws tokens one by one, `drawn` numbers of the seed later; the beam draws none.
SamplingSettings samplingSettings(DecodingStrategy strategy, const Decoding& decoding,
                                  ConstraintCheck constraint, int drawn = 0);

/// How many tokens were decoded on the way to a text, and so how many numbers of the seed were drawn.
int decodedBefore(const DecodeHistory& way, const TabText& writing, const Tokenizer& tokenizer);

/// The decoding half of the engine: the beam tree, and the tokens that the chosen strategy appends. Both are
/// kept while nothing they depend on changed.
class Decoder : public Cancellable {
 public:
  Decoder(LivePass& pass, std::shared_ptr<const Tokenizer> tokenizer)
      : pass_(pass), tokenizer_(std::move(tokenizer)) {}

  /// What decoding makes of a pass that has a trace. What it begins is told of every call of the model;
  /// stopped, it returns null.
  std::shared_ptr<const Decoded> decode(const ShownPass& pass, const Workspace& workspace,
                                        const StartJob& begin);

 private:
  void forgetWhatChanged(const ShownPass& pass, const Workspace& workspace);
  std::vector<int> tokensOf(std::string_view text) const;
  bool growBeam(const StartJob& begin);
  BeamTree search(std::span<const int> prompt, const ConstraintCheck& constraint,
                  const ProgressCallback& watch);
  TensorSet::AcrossOf acrossTexts(std::function<std::vector<int>(int)> upTo) const;
  TensorSet::AcrossOf acrossTokens(std::vector<int> before, std::vector<int> tokens) const;
  bool continueText(const StartJob& begin);
  bool takeBest(const StartJob& begin);
  bool generateTokens(const StartJob& begin);
  void noteDrawn(const std::vector<std::vector<float>>& answers, const SamplingSettings& settings);
  void noteContinuation(std::vector<double> logProbabilities, std::vector<float> drawn);
  void sumUp(const std::string& text);
  void noteDeadEnd();
  void followWay(const DecodeHistory& way, const TabText& writing);

  LivePass& pass_;
  std::shared_ptr<const Tokenizer> tokenizer_;
  // What the results below are of; the tree may grow from a text before this one.
  std::vector<int> tokens_, source_, root_;
  Interventions interventions_;
  Decoding decoding_;
  int drawn_ = 0;                                                    // numbers of the seed
  std::shared_ptr<const TensorSet> summedWay_, summedContinuation_;  // what the total is of
  ConstraintCheck constraint_, rootConstraint_;
  KnownAnswers answers_;  // about what follows the root: penalties rank anew without the model
  Decoded decoded_;       // as far as it is known
};

}  // namespace glassformer
