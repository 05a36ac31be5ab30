#include "app/lesson/lesson_keeping.h"

#include "app/document/model_commands.h"
#include "app/lesson/lesson_file.h"
#include "app/lesson/lesson_patch.h"
#include "app/lesson/lesson_walk.h"
#include "core/io/files.h"

namespace glassformer {

namespace {

std::string stepOf(const Workspace& before, const Workspace& now) {
  return "Describe the picture, and ask for a prediction before you show it.\n\n```glassformer\n" +
         lessonPatchBetween(before, now) + "```\n";
}

}  // namespace

Status keepAsStep(const std::filesystem::path& file, const Workspace& workspace) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    Workspace begun = initialWorkspace();
    commands::setModel(workspace.model).apply(begun);
    begun.text.clear();  // is written down even where it is the one that the model begins with
    return writeFile(file, "---\ntitle: " + file.stem().string() + "\nminutes: 5\nmodel: \"" +
                               workspace.model + "\"\n---\n" + stepOf(begun, workspace));
  }
  const auto text = readTextFile(file);
  if (!text) return text.error();
  const auto lesson = readLessonFile(file);
  if (!lesson) return lesson.error();
  const auto last = workspaceAt(*lesson, lesson->stepCount() - 1, workspace);
  if (!last) return last.error();
  return writeFile(file, *text + (text->ends_with('\n') ? "" : "\n") + "---\n" + stepOf(*last, workspace));
}

}  // namespace glassformer
