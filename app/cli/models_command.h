#pragma once
#include "app/engine/model_library.h"

namespace CLI {
class App;
}

namespace glassformer {

/// `glassformer models`: the built-in models with their size; or every choice that a model's config is made
/// of; or writes the model of the worked example.
struct ModelsCommand {
  static constexpr const char *name = "models", *about = "list the built-in models";

  bool choices = false;
  std::string worked;  ///< the folder; empty: none is written

  void addOptions(CLI::App& command);
  Status run(const ModelLibrary& library) const;
};

}  // namespace glassformer
