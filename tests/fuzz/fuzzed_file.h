#pragma once
#include "tests/core/io/temporary_folder.h"
#include "tests/fuzz/fuzzed.h"

namespace glassformer {

/// A file of these bytes, for readers that take a path: the one before is overwritten.
inline std::filesystem::path fileOf(const std::uint8_t* data, std::size_t size, const char* name) {
  static const TemporaryFolder folder;
  std::ofstream(folder / name, std::ios::binary) << textOf(data, size);
  return folder / name;
}

}  // namespace glassformer
