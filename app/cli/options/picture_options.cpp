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
  command.add_option("--source", source, "the source to read: for encoder-decoders");
  command.add_option("--compare", compare, "another text of the same model")->required(picture == "patch");
  command.add_option("--token", token, "the token whose answer is asked about, counted from 0 (the last)")
      ->check(wholeFrom(0));
  if (picture == "leave out") {
    command.add_option(
        "--against", against,
        "a token of which the answer is ahead, as it is written: \" dog\"; what that changes by");
    command.add_flag("--mean", atMean,
                     "hold each part at its mean over the text in place of leaving it out (mean ablation)");
  }
  addInterventions(command, interventions);
  addChoices(command, choices);
  command.add_flag_callback(
      "--json", [this] { format = "json"; }, "as JSON, in place of CSV");
  addMemory(command);
}

}  // namespace glassformer
