#pragma once
#include <string>

#include "app/engine/model_library.h"

namespace glassformer {

/// `glassformer render`: a view of a text as a PNG file, drawn from the same Scene as in the window but
/// without one.
struct RenderCommand {
  std::string view = "attention", model = "stories", text, size = "1280x720", theme = "light", out;

  Status run(const ModelLibrary& library) const;
};

}  // namespace glassformer
