#include "app/cli/attribute_command.h"
#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"
#include "core/lens/integrated_gradients.h"

namespace glassformer {

void AttributeCommand::addOptions(CLI::App& command) {
  addModel(command, model);
  addText(command, text);
  addSource(command, source);
  command
      .add_option("--token", token,
                  "position of the explained prediction, from 0 (default: the last, or the mask)")
      ->check(wholeFrom(0));
  command.add_option("--target", target,
                     "token whose logit is attributed, as written: \" dog\" (default: the top token)");
  command.add_option("--contrast", against, "contrast token, as written: its logit is subtracted");
  command.add_option("--baseline", baseline, "baseline of all embeddings: zero, mean, or a token as written")
      ->capture_default_str();
  command
      .add_option("--max-steps", gradients,
                  "maximum gradient steps along the path; the worst intervals are refined")
      ->capture_default_str()
      ->check(wholeWithin(IntegratedGradients::leastSteps, 1000000));
  addChoices(command, choices);
  addJsonOrCsv(command, json, csv);
  addMemory(command);
}

}  // namespace glassformer
