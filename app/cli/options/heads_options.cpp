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
  CLI::Option* ofTask = addTexts(command, texts, "number of texts of its task");
  addSeed(command, seed, "the same seed takes the same texts of its task, and repeats");
  for (CLI::Option* given : {one, from, many}) given->excludes(ofTask);
  many->excludes(one)->excludes(from);
  command.add_flag("--repeated-random", repeats,
                   "repeated random tokens instead of texts: the standard test for induction heads");
  command.add_option("--rule", rules,
                     "one attention rule instead of all, such as induction or \"pairs {2:1, 3:0}\": with "
                     "counterexamples and the loss recovered");
  CLI::Option* alone =
      command.add_option("--head", head,
                         "one head, as L1H0 or cross.L0H2: overlap of each attention rule, counterexamples "
                         "and the loss recovered; \"any\" is uniform attention");
  command
      .add_flag("--circuits", weights,
                "QK and OV circuits of that head, from its weights: token pairs, singular values, "
                "composition with other heads")
      ->needs(alone);
  command.add_option("--top", best, "number of heads to list of each kind (JSON and CSV: all)")
      ->capture_default_str()
      ->check(wholeFrom(1));
  addChoices(command, choices);
  addJsonOrCsv(command, json, csv);
  addMemory(command);
}

}  // namespace glassformer
