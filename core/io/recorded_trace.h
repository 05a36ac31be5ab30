#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/io/safetensors.h"
#include "core/model/config.h"
#include "core/result.h"
#include "core/trace/trace.h"
#include "core/watch.h"

namespace glassformer {

/// A pass that was computed elsewhere, as a file of trace points has it. Nothing of it is computed here: it
/// has no tape, and there are no weights.
struct RecordedTrace {
  ModelConfig config;  ///< given, or else what the shapes say, see derivedConfig()
  bool isConfigGiven = false;
  std::vector<std::string> points;  ///< those that the file has, in the order in which a pass makes them
  std::vector<std::string> texts;  ///< what each token stands for, of the text and then of the source; empty:
                                   ///< the file does not say
  std::vector<std::string> passedOver;  ///< tensors that are no trace points of such a model
  std::shared_ptr<const Trace> trace;
};

/// The ids that were read: a whole-number tensor of that name ("tokens", "source"), or an entry of the
/// metadata, "12,7,300". Nothing where there is neither.
Result<std::optional<std::vector<int>>> storedIds(const StoredTensors& dump, const std::string& name,
                                                  const std::string& file);

/// Reads the ids, what they stand for ("texts": a list of strings as JSON, in the metadata or as bytes), and
/// every point, as float32. Leading dimensions of 1 (a batch) are passed over; masked scores are −∞, whether
/// written so or as very small numbers. Refuses, naming file and point: no ids, NaN or infinity, shapes that
/// contradict each other or `given`, which `giver` gives. The watch counts points.
Result<RecordedTrace> readRecordedTrace(const StoredTensors& dump, const std::string& file,
                                        const std::optional<ModelConfig>& given = std::nullopt,
                                        const ProgressCallback& watch = noProgress,
                                        const std::string& giver = "config.json");

}  // namespace glassformer
