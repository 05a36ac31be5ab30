#include "app/cli/logit_lens_command.h"
#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"

namespace glassformer {

void LogitLensCommand::addOptions(CLI::App& command) {
  addModel(command, model);
  addText(command, text);
  addSource(command, source);
  command.add_option("--token", token, "position of one token, from 0 (default: all)")->check(wholeFrom(0));
  addInterventions(command, interventions);
  addChoices(command, choices);
  command.add_flag("--json", json, "print JSON instead of CSV");
  addMemory(command);
}

}  // namespace glassformer
