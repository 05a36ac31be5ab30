#include "app/cli/explain_command.h"
#include "app/cli/head_option.h"
#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"

namespace glassformer {

void ExplainCommand::addOptions(CLI::App& command) {
  command
      .add_option(
          "number", number,
          "POINT[INDEX], such as \"blocks.2.attn.hook_pattern[0, 9, 3]\", or a measurement of *Attribution* "
          "or *Decomposition*, such as \"causal.logit[2, 0]\" or \"lens.score_table[1, 2]\"")
      ->required();
  addModel(command, model);
  addText(command, text);
  addSource(command, source);
  command.add_option("--compare", compare, "another text of the same model, for \"patch.change[1, 3]\"");
  command.add_option("--head", head,
                     std::string("the head that lens.score_ and lens.output_ are about: ") + headOptionWords);
  command.add_option("--token", token, "position of the query, from 0 (default: the last)")
      ->check(wholeFrom(0));
  command.add_option("--key", key, "position of the key (default: the top key)")->check(wholeFrom(0));
  command.add_option("--target", target,
                     "token whose logit *Attribution*, *Contributions* and lens.output_ explain, as written: "
                     "\" dog\" (default: the top token)");
  command.add_option("--contrast", against, "contrast token of lens.output_, as written");
  command.add_option("--terms", terms, "number of operands to list for each value")
      ->capture_default_str()
      ->check(wholeFrom(1));
  command.add_option("--depth", depth, "levels of operands to open")
      ->capture_default_str()
      ->check(wholeWithin(1, 12));
  addChoices(command, choices);
  addInterventions(command, interventions);
  addJsonOrCsv(command, json, csv);
  addMemory(command);
}

}  // namespace glassformer
