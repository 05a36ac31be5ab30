// Durations are measured by a clock that only goes forward: what the wall clock says jumps when it is set.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <set>
#include <string>

#include "core/io/files.h"

namespace fs = std::filesystem;

TEST_CASE("the wall clock is read only to be shown", "[sources]") {
  std::set<std::string> readers;
  for (const char* top : {"core", "app"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SOURCE_FOLDER) / top)) {
      if (!entry.is_regular_file()) continue;
      const std::string text = *glassformer::readTextFile(entry.path());
      for (const char* clock :
           {"system_clock", "high_resolution_clock", "std::time(", "gettimeofday", "CLOCK_REALTIME"})
        if (text.find(clock) != std::string::npos)
          readers.insert(fs::relative(entry.path(), SOURCE_FOLDER).generic_string());
    }
  CHECK(readers == std::set<std::string>{"app/panels/speaker_panel.cpp",  // what time it is, for the speaker
                                         "app/panels/start_panel.cpp"});  // when a file was written
}
