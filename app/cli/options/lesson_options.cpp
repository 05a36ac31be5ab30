#include "app/cli/lesson_command.h"
#include "app/cli/options/common_options.h"

namespace glassformer {

void LessonPagesCommand::addOptions(CLI::App& command) {
  command.add_option("lesson", lesson, "Markdown file, or a built-in lesson")->required();
  command.add_option("--out", out, "PDF to write (default: the lesson's name)");
  addMemory(command);
}

void LessonCommand::addOptions(CLI::App& command) {
  command.require_subcommand(1);
  CLI::App* check =
      command.add_subcommand("check", "compute every page of lessons and check their claims about the model");
  check->add_option("files", files,
                    "Markdown files, or names of built-in lessons (default: all built-in ones)");
  addMemory(*check);
}

}  // namespace glassformer
