#pragma once
#include <filesystem>
#include <string>

#include "app/engine/model_library.h"

namespace CLI {
class App;
}

namespace glassformer {

/// `glassformer bundle`: a session or a lesson with everything it needs in one file.
struct BundleCommand {
  static constexpr const char *name = "bundle",
                              *about = "put a session or lesson and its models into one file";

  std::string what;  ///< a session's file, a lesson's, or the name of a lesson that ships
  std::string out;
  std::filesystem::path shelf;  ///< the folder of lessons that ship

  void addOptions(CLI::App& command);
  Status run(const ModelLibrary& library) const;
};

/// What other commands say of a pack they are given, while it is unpacked.
ProgressCallback unpackingLines();

}  // namespace glassformer
