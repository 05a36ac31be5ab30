#pragma once
#include <string>

#include "app/lesson/lesson.h"
#include "core/result.h"

namespace glassformer {

/// Reads a lesson: Markdown with front matter (title, audience, minutes, model), steps separated by lines of
/// three dashes. A step has prose, a question in LiaScript's notation, one fenced block `glassformer` in YAML
/// and, behind `Note:`, what the speaker is told. assets/lessons/README.md explains it with an example.
/// Errors say line and field.
Result<Lesson> readLesson(const std::string& text);
/// The same from a file, which says what it is called.
Result<Lesson> readLessonFile(const std::filesystem::path& file);
/// Whether a file means to be one: Markdown that begins with front matter.
bool isLessonFile(const std::filesystem::path& file);

}  // namespace glassformer
