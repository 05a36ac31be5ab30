#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/engine/model_library.h"

namespace CLI {
class App;
}

namespace glassformer {

/// A lesson as PDF.
struct LessonPagesCommand {
  std::string lesson, out;
  std::filesystem::path shelf;  ///< the folder of those that ship

  void addOptions(CLI::App& command);
  Status run(const ModelLibrary& library) const;

 protected:
  bool isHandout = false;
};

/// `glassformer slides`
struct SlidesCommand : LessonPagesCommand {
  static constexpr const char *name = "slides", *about = "write a lesson as slides, as PDF";
};

/// `glassformer handout`
struct HandoutCommand : LessonPagesCommand {
  static constexpr const char *name = "handout",
                              *about = "write a lesson as a handout with answers on the last page, as PDF";

  HandoutCommand() { isHandout = true; }
};

/// `glassformer lesson check`: computes every step of lessons, and prints what does not hold.
struct LessonCommand {
  static constexpr const char *name = "lesson", *about = "check lessons before you publish them";

  std::vector<std::string> files;  ///< or names of those that ship; none: all of these
  std::filesystem::path shelf;     ///< the folder of those that ship

  void addOptions(CLI::App& command);
  /// An error where something does not hold.
  Status run(const ModelLibrary& library) const;
};

}  // namespace glassformer
