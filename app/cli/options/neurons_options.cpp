#include "app/cli/neurons_command.h"
#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"

namespace glassformer {

void NeuronsCommand::addOptions(CLI::App& command) {
  addModel(command, model);
  addText(command, text);
  addSource(command, source);
  command.add_option("--block", block, "block of the neuron, from 0")
      ->capture_default_str()
      ->check(wholeFrom(0));
  command.add_flag("--encoder", encoder, "neurons of the encoder: for encoder-decoders");
  command.add_option("--neuron", neuron, "one neuron, from 0 (default: list the most active on the text)")
      ->check(wholeFrom(0));
  command.add_option("--top", listed, "number of neurons, or tokens of each kind, to list")
      ->capture_default_str()
      ->check(wholeFrom(1));
  CLI::Option* given = command.add_option(
      "--file", file,
      "file of texts to search, one in every line; for encoder-decoders a source, a tab and its text");
  addTexts(command, texts, "number of texts of the model's task to search, without --file")->excludes(given);
  addSeed(command, seed, "the same seed takes the same texts of its task");
  addChoices(command, choices);
  addJsonOrCsv(command, json, csv);
  addMemory(command);
}

}  // namespace glassformer
