#pragma once
#include "app/engine/model_library.h"

namespace glassformer {

/// `glassformer models`: the built-in models with their size; or every choice that a model's config is made
/// of.
struct ModelsCommand {
  bool choices = false;

  Status run(const ModelLibrary& library) const;
};

}  // namespace glassformer
