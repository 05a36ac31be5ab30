#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/engine/loaded_model.h"
#include "core/io/trace_check.h"
#include "core/watch.h"

namespace glassformer {

/// What another implementation computed, held against the pass of a model here.
struct ModelCheck {
  std::string model;              ///< its name
  std::filesystem::path against;  ///< the file of the other implementation's numbers
  double tolerance = 1e-4;
  TraceCheck trace;
  /// Where a point is beyond the tolerance: which of the usual suspects explains it, or part of it, or that
  /// none does; a line each.
  std::vector<std::string> reasons;

  const PointCheck* first() const { return trace.firstBeyond(tolerance); }
  double worst() const;
  /// "all 17 agree to 3.2e-07", or where they part and how far.
  std::string verdict() const;
};

/// The ids that were read, "12,7,300", of the text and of its source; empty: as the dump says.
struct GivenIds {
  std::string text, source;
};

/// Refuses a dump without ids or without a tensor of a trace point's name. The watch counts suspects.
Result<ModelCheck> checkModel(const LoadedModel& model, const StoredTensors& dump,
                              const std::filesystem::path& against, const GivenIds& given, double tolerance,
                              const ProgressCallback& watch = noProgress);

}  // namespace glassformer
