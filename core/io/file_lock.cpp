#include "core/io/file_lock.h"

#include <cerrno>
#include <thread>

#ifdef _WIN32
#define NOMINMAX
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace glassformer {

#ifdef _WIN32

// A byte that no file has is held, so that all bytes can be read and written meanwhile, by others, too.
std::optional<FileLock> FileLock::tryToTake(const std::filesystem::path& path, Of kind) {
  if (kind == Of::Folder) return FileLock(none);
  const HANDLE file = ::CreateFileW(path.c_str(), GENERIC_READ | GENERIC_WRITE,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                    OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return FileLock(none);
  OVERLAPPED place{};
  place.OffsetHigh = 0x7FFFFFFF;
  if (::LockFileEx(file, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place))
    return FileLock(reinterpret_cast<Handle>(file));
  const bool isHeld = ::GetLastError() == ERROR_LOCK_VIOLATION || ::GetLastError() == ERROR_IO_PENDING;
  ::CloseHandle(file);
  if (isHeld) return std::nullopt;
  return FileLock(none);
}

FileLock::~FileLock() {
  if (handle_ != none) ::CloseHandle(reinterpret_cast<HANDLE>(handle_));
}

#else

namespace {

// Whether a path still leads to what was opened: who held it before may have renamed it, or taken it away.
bool leadsTo(const std::filesystem::path& path, int descriptor) {
  struct stat there {
  }, here{};
  return ::stat(path.c_str(), &there) == 0 && ::fstat(descriptor, &here) == 0 &&
         there.st_dev == here.st_dev && there.st_ino == here.st_ino;
}

}  // namespace

std::optional<FileLock> FileLock::tryToTake(const std::filesystem::path& path, Of kind) {
  for (;;) {
    constexpr int quietly = O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    const int descriptor = kind == Of::File ? ::open(path.c_str(), O_RDWR | O_CREAT | quietly, 0666)
                                            : ::open(path.c_str(), O_RDONLY | O_DIRECTORY | quietly);
    FileLock lock(descriptor < 0 ? none : descriptor);
    if (descriptor < 0) return lock;
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return std::nullopt;
      return FileLock(none);
    }
    if (leadsTo(path, descriptor)) return lock;
  }
}

FileLock::~FileLock() {
  if (handle_ != none) ::close(static_cast<int>(handle_));
}

#endif

std::optional<FileLock> FileLock::takeWithin(const std::filesystem::path& path, Of kind,
                                             std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds pause(2);
  const auto end = std::chrono::steady_clock::now() + patience;
  for (;;) {
    if (auto lock = tryToTake(path, kind)) return lock;
    if (std::chrono::steady_clock::now() >= end) return std::nullopt;
    std::this_thread::sleep_for(pause);
  }
}

std::optional<FileLock> FileLock::take(const std::filesystem::path& file,
                                       std::chrono::milliseconds patience) {
  return takeWithin(file, Of::File, patience);
}

std::optional<FileLock> FileLock::takeFolder(const std::filesystem::path& folder,
                                             std::chrono::milliseconds patience) {
  return takeWithin(folder, Of::Folder, patience);
}

}  // namespace glassformer
