#pragma once
#include <string>

#include "app/engine/model_library.h"

namespace glassformer {

/// `glassformer tokenize`: ids, labels and byte ranges.
struct TokenizeCommand {
  std::string model = "stories", text;
  bool json = false;

  Status run(const ModelLibrary& library) const;
};

}  // namespace glassformer
