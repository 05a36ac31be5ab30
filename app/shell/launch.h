#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/engine/model_library.h"

namespace glassformer {

struct Workspace;

struct LaunchOptions {
  ModelLoader loader;
  std::string model;                        ///< empty: the session's
  std::optional<float> memory;              ///< gigabytes of one pass; without, the session's
  std::vector<ModelLibrary::Entry> models;  ///< built-in ones
  std::filesystem::path lessons;            ///< the folder of those that ship
  std::string lesson;                       ///< opens: one that ships, or a file
  std::filesystem::path file;               ///< opens, as a file dropped onto the window does
  std::filesystem::path screenshot;         ///< writes one picture without a window, and ends
  int width = 1600, height = 1000;
};

/// What a first start shows: the head of `stories` that looks at what "it" was, when it has to know.
Workspace welcome();

/// Opens the window on the stored session and runs until it is closed. Returns what went wrong before that.
Status launch(const LaunchOptions& options);

}  // namespace glassformer
