#pragma once
#include "app/engine/model_library.h"

namespace glassformer {

/// `glassformer models`: the built-in models with their size.
struct ModelsCommand {
  Status run(const ModelLibrary& library) const;
};

}  // namespace glassformer
