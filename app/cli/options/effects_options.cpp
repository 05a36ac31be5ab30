#include "app/cli/effect_table.h"
#include "app/cli/effects_command.h"
#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"

namespace glassformer {

void EffectsCommand::addOptions(CLI::App& command) {
  command.alias("ablate");
  addModel(command, model);
  CLI::Option* one = addText(command, text, "one text to compare with the dataset");
  command.add_option("--source", source, "its source: for encoder-decoders");
  CLI::Option* given =
      command.add_option("--file", file,
                         "a file with a text in every line instead of texts of its task; for "
                         "encoder-decoders a source, a tab and its text; two by two they are pairs "
                         "to patch");
  addTexts(command, texts, "how many texts of its task to read")->excludes(given);
  command.add_flag("--questions", questions, "number of test questions of its task, each up to its answer")
      ->excludes(given);
  command
      .add_flag("--repeats", repeats, "read repeated random tokens: the standard test for induction heads")
      ->excludes(given);
  addSeed(command, seed, "the same seed takes the same texts of its task");
  command.add_option("--measure", measure,
                     "instead what each text by itself tells, the largest first: " + measuresOfTexts() +
                         "; or the edges that matter most: edges");
  command.add_flag("--alone", alone, "with --measure edges: only the edges of --text")
      ->needs(one)
      ->excludes(given);
  addMetric(command, metric,
            "metric of the measure edges: the loss of each text, or of its own answer where it ends (in the "
            "first gap of a model that fills gaps)");
  command
      .add_option("--threshold", threshold,
                  "smallest effect that counts as an edge of a text, in nats (0.01) or of a logit (0.1)")
      ->check(CLI::PositiveNumber);
  command
      .add_option(
          "--positions", positions,
          "take means over the tokens that the task trains (trained), over all, over the last, or over "
          "a list of them, such as 7-9,12")
      ->capture_default_str()
      ->check(positionsCounted());
  command.add_option(
      "--part", part,
      "list the texts in which this one matters most, such as L2H0 or \"MLP of block 0\" (the one "
      "that matters most)");
  command.add_option("--best", best, "how many of these to list")->capture_default_str()->check(wholeFrom(1));
  addInterventions(command, interventions);
  addChoices(command, choices);
  addJsonOrCsv(command, json, csv);
  addMemory(command);
}

}  // namespace glassformer
