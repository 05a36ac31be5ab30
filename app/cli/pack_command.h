#pragma once
#include <filesystem>
#include <string>

#include "app/engine/model_library.h"

namespace glassformer {

/// glassformer pack: a session or a lesson with everything it needs in one file.
struct PackCommand {
  std::string what;  ///< a session's file, a lesson's, or the name of a lesson that ships
  std::string out;
  std::filesystem::path shelf;  ///< the folder of lessons that ship

  Status run(const ModelLibrary& library) const;
};

/// What other commands say of a pack they are given, while it is unpacked.
Watch unpackingLines();

}  // namespace glassformer
