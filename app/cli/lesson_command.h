#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/engine/model_library.h"

namespace glassformer {

/// glassformer slides, glassformer handout: a lesson as PDF.
struct LessonPagesCommand {
  std::string lesson, out;
  bool isHandout = false;
  std::filesystem::path shelf;  ///< the folder of those that ship

  Status run(const ModelLibrary& library) const;
};

/// glassformer lesson check: computes every step of lessons, and prints what does not hold.
struct LessonCommand {
  std::vector<std::string> files;  ///< or names of those that ship; none: all of these
  std::filesystem::path shelf;     ///< the folder of those that ship

  /// An error where something does not hold.
  Status run(const ModelLibrary& library) const;
};

}  // namespace glassformer
