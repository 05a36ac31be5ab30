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
                  "the token behind which the prediction is made, counted from 0 (the last, or the mask)")
      ->check(wholeFrom(0));
  command.add_option("--target", target,
                     "the token whose logit that is, as it is written: \" dog\" (the model's answer)");
  command.add_option("--against", against, "a token whose logit is subtracted, as it is written");
  command
      .add_option("--baseline", baseline,
                  "what the path of all embeddings begins at: zero, mean, or a token as it is written")
      ->capture_default_str();
  command
      .add_option("--steps", gradients,
                  "so many gradients along the path at most; it is divided where the sum errs most")
      ->capture_default_str()
      ->check(wholeWithin(IntegratedGradients::leastSteps, 1000000));
  addChoices(command, choices);
  addJsonOrCsv(command, json, csv);
  addMemory(command);
}

}  // namespace glassformer
