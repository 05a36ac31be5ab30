#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "core/result.h"

namespace glassformer {

/// A file's bytes, read-only, without reading the file: pages come in when they are touched, and are shared
/// between processes. Starts at a multiple of the page size. On Windows the file is read into memory instead.
///
/// Whoever replaces the file by renaming a new one over it (as files.h does) leaves the mapping as it was.
/// Where it is cut short while it is mapped, what is gone reads as zeros from then on, in place of ending the
/// program: whoever uses the numbers asks cutAt().
class MappedFile {
 public:
  /// Refuses what cannot be opened and what is no regular file.
  static Result<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }

  /// The file that this byte is mapped from, if it has been cut short meanwhile.
  static std::optional<std::filesystem::path> cutAt(const void* byte);
  /// A file that had been cut short when its mapping ended, if there ever was one in this process.
  static std::optional<std::filesystem::path> everCut();

 private:
  MappedFile() = default;
  std::span<const std::byte> bytes_;
  /// Of a copy, which begins where numbers may be read in packets, as what is mapped does.
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  static Result<std::unique_ptr<Line[]>> readWhole(const std::filesystem::path& path, std::size_t size);

  std::unique_ptr<Line[]> copy_;  ///< where it is not mapped
};

}  // namespace glassformer
