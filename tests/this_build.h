#pragma once
#include <string>

namespace glassformer {

/// Where the build lies of which a test program is a part, and what it made: known when it is linked, as
/// `isSanitized` is.
struct ThisBuild {
  std::string program;      ///< glassformer itself
  std::string folder;       ///< what CMake was told to build in
  std::string screenshots;  ///< where UI tests leave pictures
  int monkeyEvents;         ///< as many as there is time for
};
ThisBuild thisBuild();

}  // namespace glassformer
