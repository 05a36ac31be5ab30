#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "core/result.h"

namespace glassformer {

/// A file's bytes, read-only, without reading the file: pages come in when they are touched, and are shared
/// between processes. Starts at a multiple of the page size. On Windows the file is read into memory instead.
///
/// Whoever replaces the file by renaming a new one over it (as write_file.h does) leaves the mapping as it
/// was; one who cuts the file short while it is mapped makes touching the lost pages fatal, which no program
/// can prevent.
class MappedFile {
 public:
  /// Refuses what cannot be opened and what is no regular file.
  static Result<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  MappedFile() = default;
  std::span<const std::byte> bytes_;
  std::unique_ptr<std::byte[]> copy_;  ///< where there is no mapping
};

}  // namespace glassformer
