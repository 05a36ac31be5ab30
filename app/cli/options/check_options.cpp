#include "app/cli/check_command.h"
#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"

namespace glassformer {

void CheckCommand::addOptions(CLI::App& command) {
  command.add_option("model", model, "built-in name or directory")->required();
  command
      .add_option("--reference", against,
                  "a .safetensors or .npz file of activations, under the names that trace writes")
      ->required();
  command.add_option("--token-ids", tokens,
                     "token ids that were read, separated by commas, if the file's metadata has none");
  command.add_option("--source-ids", source, "the same of the source: for encoder-decoders");
  command.add_option("--tolerance", tolerance, "largest difference over the largest number of a tensor")
      ->capture_default_str()
      ->check(numberWithin(0, 1));
  addChoices(command, choices);
  addMemory(command);
}

}  // namespace glassformer
