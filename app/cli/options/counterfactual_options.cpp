#include "app/cli/counterfactual_command.h"
#include "app/cli/head_option.h"
#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"

namespace glassformer {

void CounterfactualCommand::addOptions(CLI::App& command) {
  addModel(command, model);
  addText(command, text);
  addSource(command, source);
  command.add_option("--token", token, "position of the prediction, from 0 (default: the last, or the mask)")
      ->check(wholeFrom(0));
  CLI::Option* wanted =
      command.add_option("--target", to, "wanted token, as written: \" dog\" (default: any other)");
  CLI::Option* looking = command.add_option(
      "--head", head,
      std::string("find edits of the top key of this head, for the query --token: ") + headOptionWords);
  looking->excludes(wanted);
  command.add_option("--key", key, "position of the wanted key, from 0 (default: any other)")
      ->check(wholeFrom(0))
      ->needs(looking);
  command.add_flag("--all", all, "every token at every position, instead of the 30000 best guesses");
  command.add_option("--top", listed, "number of each kind to list")
      ->capture_default_str()
      ->check(wholeFrom(1));
  addChoices(command, choices);
  addJsonOrCsv(command, json, csv);
  addMemory(command);
}

}  // namespace glassformer
