#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"
#include "app/cli/trace_command.h"

namespace glassformer {

void TraceCommand::addOptions(CLI::App& command) {
  addModel(command, model);
  CLI::Option* reads = command.add_option("--text", text, "input text");
  addSource(command, source);
  command.add_option("--token-ids", tokens, "token ids, separated by commas")->excludes(reads);
  command.add_option("--out", out, "the file to write")->required();
  addChoices(command, choices);
  addInterventions(command, interventions);
  command.add_option("--only", only,
                     "pattern of the trace points to save, such as blocks.*.attn.hook_pattern");
  addMemory(command);
}

}  // namespace glassformer
