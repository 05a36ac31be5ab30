#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/decode_history.h"
#include "core/decode/beam_difference.h"
#include "core/trace/tensor_set.h"

namespace glassformer {

/// The beam trees of two texts that are compared, and both as one.
struct ComparedBeams {
  std::shared_ptr<const BeamTree> a, b;
  BeamUnion both;
};

/// A token that was decoded, where in the text it ends, and who chose it, where that was noted.
struct DecodedToken {
  int token = 0;
  std::size_t end = 0;
  std::optional<ChosenBy> by = {};
  bool operator==(const DecodedToken&) const = default;
};

/// The way that a text lies on: every token that was decoded, those behind the text, too.
struct DecodedPath {
  TabText from;                           ///< before all of them
  std::string to;                         ///< with all of them
  std::vector<DecodedStretch> stretches;  ///< with which settings
  std::vector<DecodedToken> tokens;
  std::shared_ptr<const TensorSet> measurements;  ///< way.*: one value per token

  bool leadsThrough(std::string_view text, std::string_view source) const {
    return source == from.source && to.starts_with(text) && text.starts_with(from.text);
  }
  bool operator==(const DecodedPath&) const = default;
};

/// What decoding makes of a text and its source.
struct Decoded {
  std::string text, source;
  Decoding decoding;  ///< the settings that it was made by
  std::string root;   ///< the text that the tree grows from; another one while a hypothesis is looked at
  std::shared_ptr<const BeamTree> beam;
  std::shared_ptr<const TensorSet> beamMeasurements;          ///< beam.*: one value per node of the tree
  std::vector<int> continuation;                              ///< the tokens that the chosen strategy appends
  std::shared_ptr<const TensorSet> continuationMeasurements;  ///< continuation.*: one value per such token
  std::optional<DeadEnd> deadEnd;  ///< of the continuation, where the constraint lets it go no further
  std::shared_ptr<const DecodedPath> way;  ///< null: the text is on none
  std::shared_ptr<const TensorSet> total;  ///< strip.total [1]: ln P of all that the strip shows
  /// Of a difference, in place of all of these, once both trees are grown; beamMeasurements are then
  /// beam.here.*, beam.there.* and beam.difference.*.
  std::shared_ptr<const ComparedBeams> beams;

  bool operator==(const Decoded&) const = default;
};

}  // namespace glassformer
