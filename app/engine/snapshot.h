#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/document/tokenized_text.h"
#include "app/engine/run_report.h"
#include "app/engine/word_merges.h"
#include "core/decode/beam_difference.h"
#include "core/lens/difference.h"
#include "core/lens/prediction.h"
#include "core/model/config.h"
#include "core/trace/trace.h"

namespace glassformer {

/// A token and the bytes of the text it stands for.
struct TokenPiece {
  int id = 0;
  std::string label;  ///< safe to draw: spaces and line breaks as signs
  std::size_t begin = 0, end = 0;

  /// Whether it stands for bytes of the text. The signs around it, and what only the other text has, do not.
  bool isWritten() const { return end > begin; }
};

/// The beam trees of two texts that are compared, and both as one.
struct ComparedBeams {
  std::shared_ptr<const BeamTree> a, b;
  BeamUnion both;
};

/// The chosen position of tokens that were read; without a choice the last one, or the first masked one. −1:
/// there are none. `maskToken` −1: nothing is masked.
int positionAmong(std::span<const int> tokens, int chosen, int maskToken);

/// The label of an entry; its number, where the model has room for tokens that there are not.
inline std::string labelOfEntry(const std::vector<std::string>& vocabulary, int id) {
  const auto i = static_cast<std::size_t>(id);
  return i < vocabulary.size() ? vocabulary[i] : "#" + std::to_string(id);
}

/// What is said of a model without a head, wherever its logits are shown.
inline constexpr const char* noHeadWords =
    "This checkpoint has no head to predict words with: its final states are compared with its embeddings.";

/// Everything computed for one Workspace; immutable once published. What could not be computed is empty, and
/// `error` says why; the last good trace may still be there.
struct Snapshot {
  /// Both sides of a difference, and how their tokens correspond.
  struct Sides {
    std::shared_ptr<const Snapshot> a, b;
    Alignments alignments;
  };

  std::uint64_t revision = 0;  ///< of the Workspace this belongs to
  std::string model;           ///< name shown to the user
  std::string modelAsked;      ///< what the Workspace called it
  std::optional<ModelConfig> config;
  std::optional<ModelConfig> loadedConfig;  ///< without the workspace's changes
  std::vector<std::string> freshWeights;    ///< what these changes made random again, by name
  std::int64_t freshValues = 0;             ///< how many numbers that are
  std::string text;                         ///< the text `tokens` are of
  /// Where the model writes after a start sign, or fills in between signs, these are there, too, and are not
  /// written.
  std::vector<TokenPiece> tokens;
  std::string source;                                    ///< what is read beside the text
  std::vector<TokenPiece> sourceTokens;                  ///< only of a model that reads a source
  std::shared_ptr<const std::vector<WordMerges>> words;  ///< only where the view shows them
  Stream wordsOf = Stream::Text;                         ///< in which text they are
  std::shared_ptr<const Trace> trace;
  std::shared_ptr<const TensorSet> measurements;       ///< lens.*: of this trace
  int maskToken = -1;                                  ///< the tokenizer's; -1: it has none
  bool hasHead = true;                                 ///< see ModelDirectory
  int attributedEntry = -1;                            ///< whose logit the residual view takes apart
  Prediction predicted;                                ///< whose logit the influence view asks about
  std::shared_ptr<const TensorSet> modelMeasurements;  ///< positions.*: of the model alone
  /// landscape.*, cost.*: of a picture whose numbers are kept, while it is looked at, as far as measured.
  std::shared_ptr<const TensorSet> kept;
  std::string keptMissing;                                     ///< why they cannot be measured
  std::shared_ptr<const std::vector<std::string>> vocabulary;  ///< label per token id
  std::shared_ptr<const std::vector<std::string>>
      vocabularyBytes;                             ///< what a token adds to a text; "" ends it
  std::shared_ptr<const Transformer> transformer;  ///< the model itself, for a training to begin with
  std::shared_ptr<const Tokenizer> tokenizer;
  std::shared_ptr<const RunReport> run;        ///< where the model is one in training: the run as it stands
  std::shared_ptr<const RunSide> runSide;      ///< which of its models this one is
  int runStep = 0;                             ///< the step after which the model is shown
  std::shared_ptr<const TensorSet> optimizer;  ///< training.*: of the weight that is watched
  std::shared_ptr<const std::vector<Answered>> answers;  ///< after runStep; null: not asked yet
  int optimizerStep = 0;  ///< that step, or the last before it whose moments are kept
  std::string error;
  std::string refused;  ///< the model that could not be opened; everything else is still the one's before
  /// What was cancelled before it was finished: "growing the beam tree". What it would have replaced is still
  /// here.
  std::string cancelled;
  bool incomplete = false;  ///< nothing failed: `error` says what is still to be written

  // What decoding makes of `decodedText` (and its source). It takes longer than the rest: until it is there,
  // the last one stays, and decodedText differs from text.
  std::string decodedText, decodedSource;
  std::shared_ptr<const BeamTree> beam;
  std::shared_ptr<const TensorSet> beamMeasurements;          ///< beam.*: one value per node of the tree
  std::vector<int> continuation;                              ///< the tokens that the chosen strategy appends
  std::shared_ptr<const TensorSet> continuationMeasurements;  ///< continuation.*: one value per such token

  // Where two texts are compared: the other one, and this one minus the other (its tokens are the columns of
  // the alignment).
  std::shared_ptr<const Snapshot> other, difference;
  std::shared_ptr<const Sides> sides;  ///< of a difference; null in all others
  /// Of a difference, once both trees are grown; beamMeasurements are then beam.here.*, beam.there.* and
  /// beam.difference.*.
  std::shared_ptr<const ComparedBeams> beams;

  bool isDifference() const { return sides != nullptr; }
  /// The label of a vocabulary entry.
  std::string entryLabel(int id) const { return vocabulary && id >= 0 ? labelOfEntry(*vocabulary, id) : "?"; }
  /// What the tokens add to a text.
  std::string bytesOf(std::span<const int> ids) const {
    std::string bytes;
    for (const int id : ids)
      if (vocabularyBytes && id >= 0 && static_cast<std::size_t>(id) < vocabularyBytes->size())
        bytes += (*vocabularyBytes)[static_cast<std::size_t>(id)];
    return bytes;
  }
  /// Whether decoding belongs to this text, and the model read all of it.
  bool isDecoded() const {
    return beam && decodedText == text && decodedSource == source && trace &&
           trace->tokens().size() == tokens.size();
  }
  /// Whether the model writes texts on; one that fills gaps does not.
  bool continues() const { return config && config->stack != Stack::EncoderOnly; }
  bool hasTrace() const { return trace && trace->tokenCount() > 0; }
  const std::vector<TokenPiece>& tokensOf(Stream stream) const {
    return stream == Stream::Text ? tokens : sourceTokens;
  }
  const std::string& textOf(Stream stream) const { return stream == Stream::Text ? text : source; }
  /// How many of them the model has read.
  int countOf(Stream stream) const {
    if (!trace) return 0;
    return static_cast<int>(stream == Stream::Text ? trace->tokens().size() : trace->source().size());
  }
  /// The same of the text, or of its source.
  int positionOr(int chosen, Stream stream) const;
  /// The text with its tokens, for edits of one of them.
  TokenizedText tokenized() const {
    TokenizedText cut{text, {}};
    for (const TokenPiece& token : tokens) cut.tokens.push_back({token.begin, token.end});
    return cut;
  }
};

}  // namespace glassformer
