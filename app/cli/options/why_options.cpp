#include "app/cli/head_option.h"
#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"
#include "app/cli/why_command.h"

namespace glassformer {

void WhyCommand::addOptions(CLI::App& command) {
  command
      .add_option(
          "number", number,
          "POINT[INDEX], such as \"blocks.2.attn.hook_pattern[0, 9, 3]\", or what *Influence* or *Why there* "
          "measures, such as \"causal.logit[2, 0]\" or \"lens.score_table[1, 2]\"")
      ->required();
  addModel(command, model);
  addText(command, text);
  addSource(command, source);
  command.add_option("--compare", compare, "another text of the same model, for \"patch.change[1, 3]\"");
  command.add_option("--head", head,
                     std::string("the head that lens.score_ and lens.output_ are about: ") + headOptionWords);
  command.add_option("--token", token, "the token that looks, counted from 0 (the last)")
      ->check(wholeFrom(0));
  command.add_option("--key", key, "the token that it looks at (the one that it looks at most)")
      ->check(wholeFrom(0));
  command.add_option(
      "--target", target,
      "the token whose logit *Influence*, *Contributions* and lens.output_ are about, as it is "
      "written: \" dog\" (the model's answer)");
  command.add_option("--against", against,
                     "a token whose logit lens.output_ has subtracted, as it is written");
  command.add_option("--terms", terms, "how many terms to list of each number")
      ->capture_default_str()
      ->check(wholeFrom(1));
  command.add_option("--depth", depth, "how often to open what made the terms")
      ->capture_default_str()
      ->check(wholeWithin(1, 12));
  addChoices(command, choices);
  addInterventions(command, interventions);
  addJsonOrCsv(command, json, csv);
  addMemory(command);
}

}  // namespace glassformer
