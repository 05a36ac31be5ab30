#include "app/cli/models_command.h"
#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"

namespace glassformer {

void ModelsCommand::addOptions(CLI::App& command) {
  command.add_flag("--options", choices, "list the fields of the architecture, for --set");
  command.add_option("--worked", worked,
                     "write the worked example, a model whose weights are set by hand, into this folder");
}

}  // namespace glassformer
