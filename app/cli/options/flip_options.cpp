#include "app/cli/flip_command.h"
#include "app/cli/head_option.h"
#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"

namespace glassformer {

void FlipCommand::addOptions(CLI::App& command) {
  addModel(command, model);
  addText(command, text);
  addSource(command, source);
  command
      .add_option("--token", token,
                  "the token behind which the answer is given, counted from 0 (the last, or the mask)")
      ->check(wholeFrom(0));
  CLI::Option* wanted =
      command.add_option("--to", to, "the answer that is wanted, as it is written: \" dog\" (any other)");
  CLI::Option* looking = command.add_option(
      "--head", head, std::string("ask where a head looks, from --token: ") + headOptionWords);
  looking->excludes(wanted);
  command.add_option("--key", key, "the token that it is to look at, counted from 0 (any other)")
      ->check(wholeFrom(0))
      ->needs(looking);
  command.add_flag("--all", all, "every token at every place, not the 30000 best guesses alone");
  command.add_option("--listed", listed, "how many of each kind to list")
      ->capture_default_str()
      ->check(wholeFrom(1));
  addChoices(command, choices);
  addJsonOrCsv(command, json, csv);
  addMemory(command);
}

}  // namespace glassformer
