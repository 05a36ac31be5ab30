#include "app/cli/lesson_command.h"
#include "app/cli/options/common_options.h"

namespace glassformer {

void LessonPagesCommand::addOptions(CLI::App& command) {
  command.add_option("lesson", lesson, "a Markdown file, or the name of a lesson that ships")->required();
  command.add_option("--out", out, "the PDF to write (the lesson's name)");
  addMemory(command);
}

void LessonCommand::addOptions(CLI::App& command) {
  command.require_subcommand(1);
  CLI::App* check = command.add_subcommand(
      "check", "compute every step of lessons, and hold them to what they claim about the model");
  check->add_option("files", files, "Markdown files, or names of lessons that ship; without, all that ship");
  addMemory(*check);
}

}  // namespace glassformer
