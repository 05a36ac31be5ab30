#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "app/engine/decoded.h"
#include "app/engine/run_report.h"
#include "app/engine/shown_model.h"
#include "app/engine/shown_pass.h"
#include "core/lens/difference.h"

namespace glassformer {

/// What a picture can be measured with besides: a model, by its name, and what it is.
struct OfferedModel {
  std::string name, about;
  bool operator==(const OfferedModel&) const = default;
};

/// A tokenizer of the library, and the models that cut texts with it.
struct NamedTokenizer {
  std::vector<std::string> models;
  std::shared_ptr<const Tokenizer> tokenizer;
};

/// What is measured behind the pass and kept, for a picture that is looked at.
struct JobResult {
  std::shared_ptr<const TensorSet> measured = nullptr;  ///< landscape.*, cost.*: as far as it is
  std::string missing = {};                             ///< why it cannot be
  std::vector<OfferedModel> offered = {};               ///< the draft: models that could propose
  std::vector<NamedTokenizer> tokenizers = {};          ///< the open model's first, as far as they are read
};

/// What the passes that are there take, and what one of them may take, in bytes.
struct PassMemory {
  double taken = 0, limit = 0;
  bool dropsSquares = false;  ///< scores and patterns are made again when they are looked at
};

/// How the work stands that a snapshot is the result of.
struct WorkStatus {
  std::string asked;        ///< what the Workspace called the model that was asked for
  std::string error;        ///< why something is not there
  std::string refused;      ///< the model that could not be opened; everything else is still the one's before
  std::string cancelled;    ///< before it was finished: "growing the beam tree"; what it would replace stays
  bool incomplete = false;  ///< nothing failed: `error` says what is still to be written

  bool failed() const { return !error.empty() && !incomplete; }
  std::string errorOr(const char* words) const { return error.empty() ? words : error; }
};

/// A part of which nothing is known.
template <typename Part>
std::shared_ptr<const Part> emptyPart() {
  static const auto empty = std::make_shared<const Part>();
  return empty;
}

/// Everything computed for one Workspace, in parts that snapshots share; immutable once published. What could
/// not be computed is empty, and `standing` says why; the last good pass may still be there. Parts are never
/// null.
struct Snapshot {
  /// Both sides of a difference, and how their tokens correspond.
  struct Sides {
    std::shared_ptr<const Snapshot> a, b;
    Alignments alignments;
  };

  std::uint64_t revision = 0;  ///< of the Workspace this belongs to
  std::shared_ptr<const ShownModel> model = emptyPart<ShownModel>();
  std::shared_ptr<const ShownPass> pass = emptyPart<ShownPass>();
  /// Takes longer than the pass: until it is there, the last one stays; see isDecoded().
  std::shared_ptr<const Decoded> decoded = emptyPart<Decoded>();
  std::shared_ptr<const ShownTraining> training = emptyPart<ShownTraining>();
  JobResult kept;
  PassMemory memory;
  WorkStatus standing;
  /// Where two texts are compared: the other one, and this one minus the other (its tokens are the columns of
  /// the alignment). Else null.
  std::shared_ptr<const Snapshot> other, difference;
  std::shared_ptr<const Sides> sides;  ///< of a difference; null in all others

  bool isDifference() const { return sides != nullptr; }
  /// Whether what is decoded is the text of the pass, and the model read all of it.
  bool isDecoded() const {
    return decoded->beam && decoded->text == pass->text && decoded->source == pass->source && pass->isWhole();
  }
  /// The chosen position of the text, or of its source; see positionAmong(). −1: there is none.
  int positionOr(int chosen, Stream stream) const;
};

/// The same snapshot with another part.
template <typename Part>
std::shared_ptr<const Snapshot> with(const Snapshot& snapshot, Part Snapshot::*part,
                                     std::type_identity_t<Part> value) {
  auto copy = std::make_shared<Snapshot>(snapshot);
  copy.get()->*part = std::move(value);
  return copy;
}

/// The chosen position of tokens that were read; without a choice the last one, or the first masked one. −1:
/// there are none. `maskToken` −1: nothing is masked.
int positionAmong(std::span<const int> tokens, int chosen, int maskToken);

}  // namespace glassformer
