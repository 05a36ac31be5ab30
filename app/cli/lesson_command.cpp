#include "app/cli/lesson_command.h"

#include <cstdio>
#include <functional>

#include "app/bundles/pack.h"
#include "app/cli/bundle_command.h"
#include "app/cli/computed.h"
#include "app/figure/lesson_pages.h"
#include "app/lesson/lesson_check.h"
#include "app/lesson/lesson_shelf.h"
#include "app/scene/format.h"
#include "core/io/files.h"

namespace glassformer {

Status LessonPagesCommand::run(const ModelLibrary& library) const {
  LessonShelf lessons(shelf);
  const auto file = lessonIn(lesson, packFolders(library.builtIn(), {}), unpackingLines());
  if (!file) return file.error();
  const auto read = lessons.open(*file);
  if (!read) return read.error();
  Computer computer(library);
  const FigureFonts fonts;
  const auto pdf = isHandout ? lessonHandout(**read, std::ref(computer), fonts)
                             : lessonSlides(**read, std::ref(computer), fonts);
  if (!pdf) return pdf.error();
  return writeFile(out.empty() ? std::filesystem::path((*read)->file.stem().string() + ".pdf")
                               : std::filesystem::path(out),
                   *pdf);
}

Status LessonCommand::run(const ModelLibrary& library) const {
  LessonShelf lessons(shelf);
  std::vector<std::string> all = files;
  if (all.empty())
    for (const auto& lesson : lessons.ships()) all.push_back(lesson->id);
  if (all.empty()) return Error{"no lessons found next to the program", "assets/lessons", ""};
  Computer computer(library);
  std::size_t faults = files.empty() ? lessons.unreadable().size() : 0;
  if (faults > 0)
    for (const Error& error : lessons.unreadable()) std::printf("%s\n", error.message().c_str());
  for (const std::string& called : all) {
    const auto file = lessonIn(called, packFolders(library.builtIn(), {}), unpackingLines());
    const auto lesson = file ? lessons.open(*file) : file.error();
    if (!lesson) {
      std::printf("%s\n", lesson.error().message().c_str());
      ++faults;
      continue;
    }
    const auto found = faultsOf(**lesson, std::ref(computer));
    faults += found.size();
    for (const std::string& fault : found)
      std::printf("%s, %s\n", (*lesson)->file.string().c_str(), fault.c_str());
    if (found.empty())
      std::printf("%s: %s, all correct\n", (*lesson)->id.c_str(),
                  countWords((*lesson)->stepCount(), "step").c_str());
    std::fflush(stdout);
  }
  if (faults > 0)
    return Error{std::to_string(faults) + (faults == 1 ? " fault" : " faults"), "lesson check", ""};
  return success();
}

}  // namespace glassformer
