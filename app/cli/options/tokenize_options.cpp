#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"
#include "app/cli/tokenize_command.h"

namespace glassformer {

void TokenizeCommand::addOptions(CLI::App& command) {
  addModel(command, model);
  auto* const one = command.add_option("--text", text, "the text");
  command
      .add_option(
          "--texts", texts,
          "a file with a text in every line, as a JSON string; prints the ids of each as the model reads "
          "it, between its special tokens")
      ->excludes(one);
  command.add_flag("--all-models", library, "compare the tokenizers of this model and of all built-in ones");
  command.add_flag("--json", json, "print JSON");
}

}  // namespace glassformer
