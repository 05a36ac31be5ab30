#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/decode/beam_difference.h"
#include "core/trace/tensor_set.h"

namespace glassformer {

/// The beam trees of two texts that are compared, and both as one.
struct ComparedBeams {
  std::shared_ptr<const BeamTree> a, b;
  BeamUnion both;
};

/// What decoding makes of a text and its source.
struct Decoded {
  std::string text, source;
  std::shared_ptr<const BeamTree> beam;
  std::shared_ptr<const TensorSet> beamMeasurements;          ///< beam.*: one value per node of the tree
  std::vector<int> continuation;                              ///< the tokens that the chosen strategy appends
  std::shared_ptr<const TensorSet> continuationMeasurements;  ///< continuation.*: one value per such token
  /// Of a difference, in place of all of these, once both trees are grown; beamMeasurements are then
  /// beam.here.*, beam.there.* and beam.difference.*.
  std::shared_ptr<const ComparedBeams> beams;

  bool operator==(const Decoded&) const = default;
};

}  // namespace glassformer
