#pragma once
#include <string>

#include "app/engine/model_library.h"

namespace glassformer {

/// `glassformer tokenize`: ids, labels and byte ranges; by one tokenizer, or by every one of the library.
struct TokenizeCommand {
  std::string model = "stories", text;
  bool json = false, library = false;

  Status run(const ModelLibrary& models) const;

 private:
  Status cut(const ModelLibrary& models) const;
  Status cutByAll(const ModelLibrary& models) const;
};

}  // namespace glassformer
