#pragma once
#include <string>
#include <vector>

#include "app/engine/model_library.h"

namespace CLI {
class App;
}

namespace glassformer {

/// `glassformer check`: holds what another implementation computed, a safetensors file under our names of
/// trace points, against the pass here: the error of every point, the first that diverges, and what explains
/// it, where one of the usual suspects does.
struct CheckCommand {
  static constexpr const char *name = "check",
                              *about = "compare a model's activations with those of another implementation";

  std::string model, against, tokens, source;
  std::vector<std::string> choices;
  double tolerance = 1e-4;

  void addOptions(CLI::App& command);
  /// An error where a point is beyond the tolerance.
  Status run(const ModelLibrary& library) const;
};

}  // namespace glassformer
