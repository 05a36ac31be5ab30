#include "app/cli/dataset_command.h"
#include "app/cli/effect_table.h"
#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"

namespace glassformer {

void DatasetCommand::addOptions(CLI::App& command) {
  addModel(command, model);
  CLI::Option* one = addText(command, text, "one text to compare with the dataset");
  command.add_option("--source", source, "its source: for encoder-decoders");
  CLI::Option* given =
      command.add_option("--file", file,
                         "a file with a text in every line instead of texts of its task; for "
                         "encoder-decoders a source, a tab and its text; two by two they are pairs "
                         "to patch");
  addTexts(command, texts, "number of texts of its task")->excludes(given);
  command
      .add_flag("--test-questions", questions,
                "test questions of its task instead of texts, each up to its answer")
      ->excludes(given);
  command
      .add_flag("--repeated-random", repeats,
                "read repeated random tokens: the standard test for induction heads")
      ->excludes(given);
  addSeed(command, seed, "the same seed takes the same texts of its task");
  command.add_option("--measure", measure,
                     "measure of each text instead, the largest first: " + measuresOfTexts() +
                         "; or the edges that matter most: edges");
  command.add_flag("--text-only", alone, "with --measure edges: only the edges of --text")
      ->needs(one)
      ->excludes(given);
  addMetric(command, metric,
            "metric of --measure edges: over each text, or at its prediction (the first mask of a masked "
            "language model)");
  command
      .add_option("--threshold", threshold,
                  "smallest effect that counts as an edge of a text, in nats (0.01) or of a logit (0.1)")
      ->check(CLI::PositiveNumber);
  command
      .add_option(
          "--positions", positions,
          "positions in the means: those that the task trains (trained), all, last, or a list such as 7-9,12")
      ->capture_default_str()
      ->check(positionsCounted());
  command.add_option("--component", part,
                     "component whose most affected texts are listed, such as L2H0 or \"L0 MLP\" (the one "
                     "with the largest effect)");
  command.add_option("--top", best, "number of these to list")->capture_default_str()->check(wholeFrom(1));
  addInterventions(command, interventions);
  addChoices(command, choices);
  addJsonOrCsv(command, json, csv);
  addMemory(command);
}

}  // namespace glassformer
