#include "app/cli/check_command.h"

#include <cstdio>

#include "app/archives/npz.h"
#include "app/cli/choices_option.h"
#include "app/engine/model_check.h"

namespace glassformer {
namespace {

void say(const ModelCheck& check) {
  for (const PointCheck& point : check.trace.points)
    std::printf("%-40s %8.1e%s\n", point.name.c_str(), point.error,
                &point == check.first() ? "   the first beyond the tolerance" : "");
  for (const std::string& words : check.trace.otherShape) std::printf("%s: not compared\n", words.c_str());
  for (const std::string& name : check.trace.unknown) std::printf("%s: no such trace point\n", name.c_str());
  std::printf("%s\n", check.verdict().c_str());
  for (const std::string& reason : check.reasons) std::printf("%s\n", reason.c_str());
}

}  // namespace

Status CheckCommand::run(const ModelLibrary& library) const {
  const auto loaded = loadChanged(library, model, choices);
  if (!loaded) return loaded.error();
  const auto dump = openDump(against);
  if (!dump) return dump.error();
  const auto check = checkModel(*loaded, *dump, against, {tokens, source}, tolerance);
  if (!check) return check.error();
  say(*check);
  if (const PointCheck* first = check->first())
    return Error{"differs from " + against + " from " + first->name + " on", model, ""};
  return success();
}

}  // namespace glassformer
