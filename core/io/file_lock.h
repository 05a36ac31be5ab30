#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

namespace glassformer {

/// Holds a file or a folder, so that of all that ask for it only one has it: of programs as of threads. It is
/// let go with this object, and with the process, however that ends; nothing stays on the disk. Who does not
/// ask is not kept from anything.
class FileLock {
 public:
  /// Of a file, which is made where there is nothing. Nothing: another holds it, and still did after
  /// `patience`. What cannot be opened, or lies where nothing can be held, is held by nobody: writing it says
  /// why.
  static std::optional<FileLock> take(const std::filesystem::path& file,
                                      std::chrono::milliseconds patience = {});
  /// Of a folder; where there is none, and on Windows, it is held by nobody.
  static std::optional<FileLock> takeFolder(const std::filesystem::path& folder,
                                            std::chrono::milliseconds patience = {});
  ~FileLock();
  FileLock(FileLock&& other) noexcept : handle_(std::exchange(other.handle_, none)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }

 private:
  using Handle = std::intptr_t;  // POSIX's descriptor, or Windows's handle
  static constexpr Handle none = -1;
  explicit FileLock(Handle handle) : handle_(handle) {}
  enum class Of { File, Folder };
  static std::optional<FileLock> tryToTake(const std::filesystem::path& path, Of kind);
  static std::optional<FileLock> takeWithin(const std::filesystem::path& path, Of kind,
                                            std::chrono::milliseconds patience);

  Handle handle_;
};

}  // namespace glassformer
