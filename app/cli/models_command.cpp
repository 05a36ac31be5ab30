#include "app/cli/models_command.h"

#include <cstdio>

namespace glassformer {

Status ModelsCommand::run(const ModelLibrary& library) const {
  for (const auto& [name, folder] : library.builtIn()) {
    const auto model = library.load(name);
    if (!model) return model.error();
    const ModelConfig& c = model->transformer->config();
    std::printf(
        "%-12s %d layers, %d heads, width %d, vocabulary %d, context %d, %.2f million parameters  %s\n",
        name.c_str(), c.layers, c.heads, c.width, c.vocabulary, c.context,
        static_cast<double>(model->transformer->parameters().valueCount()) / 1e6, folder.string().c_str());
  }
  if (library.builtIn().empty())
    return Error{"no built-in models were found beside the program", "assets/models", ""};
  return success();
}

}  // namespace glassformer
