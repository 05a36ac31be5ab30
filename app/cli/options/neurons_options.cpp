#include "app/cli/neurons_command.h"
#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"

namespace glassformer {

void NeuronsCommand::addOptions(CLI::App& command) {
  addModel(command, model);
  addText(command, text);
  addSource(command, source);
  command.add_option("--block", block, "which block's, counted from 0")
      ->capture_default_str()
      ->check(wholeFrom(0));
  command.add_flag("--encoder", encoder, "of an encoder-decoder: those of the encoder");
  command.add_option("--neuron", neuron, "one of them, counted from 0 (lists the strongest on the text)")
      ->check(wholeFrom(0));
  command.add_option("--listed", listed, "how many neurons, or tokens of each kind, to list")
      ->capture_default_str()
      ->check(wholeFrom(1));
  CLI::Option* given =
      command.add_option("--file", file,
                         "where to search examples of it: a file with a text in every line; for "
                         "encoder-decoders a source, a tab and its text");
  addTexts(command, texts, "else in so many texts of the model's task")->excludes(given);
  addSeed(command, seed, "the same seed takes the same texts of its task");
  addChoices(command, choices);
  addJsonOrCsv(command, json, csv);
  addMemory(command);
}

}  // namespace glassformer
