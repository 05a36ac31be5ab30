#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <memory>
#include <span>
#include <string>

#include "core/result.h"

namespace glassformer {

/// A file that is open, of which any stretch can be read: so that of large ones no more is in memory than
/// what is asked for. Used by one thread at a time. Whoever replaces the file by renaming a new one over it
/// (as files.h does) leaves what is read here as it was.
class BinaryFile {
 public:
  /// Refuses what cannot be opened and what is no regular file.
  static Result<std::shared_ptr<BinaryFile>> open(const std::filesystem::path& path);
  /// The same of bytes in memory. `name` is for messages.
  static std::shared_ptr<BinaryFile> of(std::string bytes, std::string name);

  std::uint64_t size() const { return size_; }
  const std::string& name() const { return name_; }
  /// Fills `to` with the bytes from `begin` on. Error: the file, where it has become shorter.
  Status read(std::uint64_t begin, std::span<std::byte> to);

 private:
  BinaryFile(std::unique_ptr<std::istream> stream, std::uint64_t size, std::string name)
      : stream_(std::move(stream)), size_(size), name_(std::move(name)) {}

  std::unique_ptr<std::istream> stream_;
  std::uint64_t size_, at_ = 0;
  std::string name_;
};

}  // namespace glassformer
