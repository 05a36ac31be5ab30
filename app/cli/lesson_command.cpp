#include "app/cli/lesson_command.h"

#include <cstdio>

#include "app/engine/engine.h"
#include "app/lesson/lesson_check.h"
#include "app/lesson/lesson_shelf.h"
#include "app/views/views.h"

namespace glassformer {

Status LessonCommand::run(const ModelLibrary& library) const {
  LessonShelf lessons(shelf);
  std::vector<std::string> all = files;
  if (all.empty())
    for (const auto& lesson : lessons.ships()) all.push_back(lesson->id);
  if (all.empty()) return Error{"no lessons were found beside the program", "assets/lessons", ""};
  // One engine for all: it keeps the model from step to step.
  Engine engine([&](const std::string& name, const Watch& watch) { return library.load(name, watch); }, [] {},
                neededFor);
  std::uint64_t revision = 0;
  const ComputedFor computed = [&](const Workspace& workspace) -> Result<std::shared_ptr<const Snapshot>> {
    engine.request(workspace, ++revision);
    engine.finish();
    return engine.latest();
  };
  std::size_t faults = files.empty() ? lessons.unreadable().size() : 0;
  if (faults > 0)
    for (const Error& error : lessons.unreadable()) std::printf("%s\n", error.message().c_str());
  for (const std::string& name : all) {
    const auto lesson = lessons.open(name);
    if (!lesson) {
      std::printf("%s\n", lesson.error().message().c_str());
      ++faults;
      continue;
    }
    const auto found = faultsOf(**lesson, computed);
    faults += found.size();
    for (const std::string& fault : found)
      std::printf("%s, %s\n", (*lesson)->file.string().c_str(), fault.c_str());
    if (found.empty()) std::printf("%s: %d steps, all hold\n", (*lesson)->id.c_str(), (*lesson)->stepCount());
    std::fflush(stdout);
  }
  if (faults > 0)
    return Error{std::to_string(faults) + (faults == 1 ? " fault" : " faults"), "lesson check", ""};
  return success();
}

}  // namespace glassformer
