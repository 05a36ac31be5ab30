#pragma once
#include <string>

#include "app/engine/model_library.h"

namespace CLI {
class App;
}

namespace glassformer {

/// `glassformer tokenize`: ids, labels and byte ranges; by one tokenizer, or by every one of the library.
struct TokenizeCommand {
  static constexpr const char *name = "tokenize", *about = "show how a text becomes tokens";

  std::string model = "stories", text, texts;
  bool json = false, library = false;

  void addOptions(CLI::App& command);
  Status run(const ModelLibrary& models) const;

 private:
  Status cut(const ModelLibrary& models) const;
  Status cutByAll(const ModelLibrary& models) const;
  Status cutLines(const ModelLibrary& models) const;
};

}  // namespace glassformer
