#include "app/cli/options/checks.h"
#include "app/cli/options/common_options.h"
#include "app/cli/picture_command.h"

namespace glassformer {

PictureCommand::PictureCommand(const char* ofView, const char* itsPicture) {
  view = ofView, picture = itsPicture;
  out = standardOutput, format = "csv";
}

void PictureCommand::addOptions(CLI::App& command) {
  command.add_option("--model", model, "built-in name or directory (stories)");
  command.add_option("--text", text, "the text to read (the one that the window starts with)");
  command.add_option("--source", source, "source text: for encoder-decoders");
  command.add_option("--compare", compare, "another text of the same model")->required(picture == "patch");
  command
      .add_option("--token", token,
                  "position of the explained prediction, from 0 (default: the last, or the mask)")
      ->check(wholeFrom(0));
  if (picture == "leave out") {
    command.add_option("--contrast", against,
                       "contrast token, as written: \" dog\"; report the change of the logit difference");
    command.add_flag("--mean", atMean,
                     "mean ablation instead of zero ablation: replace outputs by their mean over the text");
  }
  addInterventions(command, interventions);
  addChoices(command, choices);
  command.add_flag_callback(
      "--json", [this] { format = "json"; }, "print JSON instead of CSV");
  addMemory(command);
}

}  // namespace glassformer
