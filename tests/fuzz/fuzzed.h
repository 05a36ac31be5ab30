#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

/// Random bytes for a reader of files: whatever they are, it returns a value or an error. tests/fuzz/run
/// builds and runs them all.

namespace glassformer {

inline std::string_view textOf(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A property that has to hold whatever was read. A test that replays inputs says which one broke it.
inline void holds(bool property) {
#ifdef GLASSFORMER_REPLAYS
  if (!property) throw std::logic_error("a property does not hold");
#else
  if (!property) std::abort();
#endif
}

/// Something valid to begin with, in the folder that is given first; none where there is no folder.
inline void writeSeed(int argc, char** argv, const std::string& name, const std::string& content) {
  for (int i = 1; i < argc; ++i)
    if (argv[i][0] != '-') {
      std::ofstream(std::filesystem::path(argv[i]) / name, std::ios::binary) << content;
      return;
    }
}

}  // namespace glassformer

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv);
