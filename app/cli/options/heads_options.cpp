#include "app/cli/heads_command.h"
#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"

namespace glassformer {

void HeadsCommand::addOptions(CLI::App& command) {
  addModel(command, model);
  CLI::Option* one = addText(command, text, "a text to read instead of those of its task");
  CLI::Option* from = addSource(command, source);
  CLI::Option* many =
      command.add_option("--file", file,
                         "a file with a text in every line; for encoder-decoders a source, a tab and "
                         "its text");
  CLI::Option* ofTask = addTexts(command, texts, "how many texts of its task to read");
  addSeed(command, seed, "the same seed takes the same texts of its task, and repeats");
  for (CLI::Option* given : {one, from, many}) given->excludes(ofTask);
  many->excludes(one)->excludes(from);
  command.add_flag("--repeats", repeats,
                   "random tokens of these texts instead, said twice: what induction heads are known by");
  command.add_option(
      "--hypothesis", hypotheses,
      "where heads look, as \"key = query - 1\" or \"token[key - 1] = token[query]\", in place of "
      "the stock ones: with counterexamples and the loss recovered");
  CLI::Option* alone = command.add_option(
      "--head", head,
      "one head, as L1H0 or cross.L0H2: how each hypothesis fits it, where not, and what it "
      "recovers; \"any\" says where it looks least evenly");
  command
      .add_flag("--weights", weights,
                "of that head, what it reads and writes, off its weights alone: token pairs, singular "
                "values, the heads it works with")
      ->needs(alone);
  command.add_option("--best", best, "how many heads to list of each kind (as JSON or CSV all)")
      ->capture_default_str()
      ->check(wholeFrom(1));
  addChoices(command, choices);
  addJsonOrCsv(command, json, csv);
  addMemory(command);
}

}  // namespace glassformer
