#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/engine/training_origin.h"
#include "core/io/recorded_trace.h"
#include "core/model/transformer.h"
#include "core/result.h"
#include "core/text/tokenizer.h"
#include "core/watch.h"

namespace glassformer {

/// A model with the tokenizer it was trained on; or a trace from elsewhere, without weights.
struct LoadedModel {
  std::string name;
  std::shared_ptr<const Transformer> transformer;
  std::shared_ptr<const Tokenizer> tokenizer;
  std::shared_ptr<const TrainingTask> task = nullptr;  ///< whose data it learns, where that is at hand
  TrainingOrigin origin = {};                          ///< else what its card says of that
  bool hasHead = true;                                 ///< see ModelDirectory
  std::vector<std::string> shipped = {};               ///< names of all models that ship beside it
  std::shared_ptr<const RecordedTrace> recorded =
      nullptr;  ///< the only pass there is, where there are no weights
};
using ModelLoader =
    std::function<Result<LoadedModel>(const std::string& model, const ProgressCallback& watch)>;

}  // namespace glassformer
