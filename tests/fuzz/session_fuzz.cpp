#include "app/document/session.h"
#include "tests/fuzz/fuzzed.h"

using namespace glassformer;

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  writeSeed(*argc, *argv, "first", toJson(initialWorkspace()));
  return 0;
}

// What was read is written, and read again as the same.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto workspace = workspaceFromJson(std::string(textOf(data, size)));
  if (!workspace) return 0;
  const auto again = workspaceFromJson(toJson(*workspace));
  holds(again && toJson(*again) == toJson(*workspace));
  return 0;
}
