#pragma once
#include <sys/wait.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "app/figure/figure_formats.h"
#include "tests/app/engine/latest_for.h"
#include "tests/app/figure/opened_pictures.h"

namespace glassformer {

/// What a program printed; fails the test when it ended with another status than 0.
inline std::string outputOf(const std::string& command) {
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe);
  std::string output;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, n);
  const int status = ::pclose(pipe);
  INFO(command << ": " << output);
  REQUIRE((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  return output;
}

/// What the engine publishes for a workspace with the model that ships.
inline std::shared_ptr<const Snapshot> storiesSnapshot(const Workspace& workspace) {
  const auto snapshot = latestFor(workspace);
  REQUIRE(snapshot->standing.error == "");
  return snapshot;
}

}  // namespace glassformer
