#include "app/cli/models_command.h"

#include <cstdio>

#include "app/scene/format.h"
#include "core/io/worked_example.h"
#include "core/model/choices.h"

namespace glassformer {

namespace {

void printChoices() {
  for (const ConfigChoice& choice : configChoices()) {
    std::printf("%s: %s\n", choice.id.c_str(), choice.meaning.c_str());
    for (const ConfigOption& option : choice.options)
      std::printf("  %-18s %s%s%s\n", option.id.c_str(), option.meaning.c_str(),
                  option.equation.empty() ? "" : "   ", option.equation.c_str());
  }
  for (const ConfigNumber& number : configNumbers())
    std::printf("%s: a number; %s\n", number.id.c_str(), number.meaning.c_str());
}

Status writeWorked(const std::string& folder) {
  const ModelDirectory model = workedExample();
  return writeModelDirectory(folder, model.config, model.parameters, *model.tokenizer, model.card);
}

}  // namespace

Status ModelsCommand::run(const ModelLibrary& library) const {
  if (choices) return printChoices(), success();
  if (!worked.empty()) return writeWorked(worked);
  for (const auto& [id, folder] : library.builtIn()) {
    const auto model = library.load(id);
    if (!model) return model.error();
    const ModelConfig& c = model->transformer->config();
    std::printf("%-20s %s, %s, width %d, vocabulary %d, context %d, %.2f million parameters  %s\n",
                id.c_str(), countWords(c.layers, "layer").c_str(), countWords(c.heads, "head").c_str(),
                c.width, c.vocabulary, c.context,
                static_cast<double>(model->transformer->parameters().valueCount()) / 1e6,
                folder.string().c_str());
  }
  if (library.builtIn().empty())
    return Error{"found no built-in models next to the program", "assets/models", ""};
  return success();
}

}  // namespace glassformer
