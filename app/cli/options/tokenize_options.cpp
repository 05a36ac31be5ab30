#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"
#include "app/cli/tokenize_command.h"

namespace glassformer {

void TokenizeCommand::addOptions(CLI::App& command) {
  addModel(command, model);
  command.add_option("--text", text, "the text")->required();
  command.add_flag("--library", library, "by this model's tokenizer and those of all that ship");
  command.add_flag("--json", json, "as JSON");
}

}  // namespace glassformer
