#include "core/io/mapped_file.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <mutex>

#include "core/tensor/missing_pages.h"

#ifndef _WIN32
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace glassformer {

namespace fs = std::filesystem;

namespace {

Error cannot(const char* what, const fs::path& path) {
  return {std::string(what) + ": " + std::strerror(errno), path.string(), ""};
}

}  // namespace

Result<std::unique_ptr<MappedFile::Line[]>> MappedFile::readWhole(const fs::path& path, std::size_t size) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return cannot("cannot be opened", path);
  auto copy = std::make_unique<Line[]>((size + sizeof(Line) - 1) / sizeof(Line));
  stream.read(reinterpret_cast<char*>(copy.get()), static_cast<std::streamsize>(size));
  if (static_cast<std::size_t>(stream.gcount()) != size)
    return Error{"cannot be read to its end", path.string(), ""};
  return copy;
}

#ifdef _WIN32

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const fs::path& path) {
  std::error_code failure;
  if (fs::exists(path, failure) && !fs::is_regular_file(path, failure))
    return Error{"is not a regular file", path.string(), ""};
  const auto size = fs::file_size(path, failure);
  if (failure) return Error{"cannot be opened: " + failure.message(), path.string(), ""};
  auto copy = readWhole(path, static_cast<std::size_t>(size));
  if (!copy) return copy.error();
  std::shared_ptr<MappedFile> file(new MappedFile);
  file->copy_ = *std::move(copy);
  file->bytes_ = {reinterpret_cast<const std::byte*>(file->copy_.get()), static_cast<std::size_t>(size)};
  return std::shared_ptr<const MappedFile>(file);
}

MappedFile::~MappedFile() = default;
std::optional<fs::path> MappedFile::cutAt(const void*) { return std::nullopt; }
std::optional<fs::path> MappedFile::everCut() { return std::nullopt; }

#else

namespace {

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

// What is looked at where a page is missing, which may wait for nobody: so it is here, for the whole process,
// and has an end. Where there is no place left, a file is read in place of being mapped.
struct Mapping {
  std::atomic<std::uintptr_t> begin{0};  // 0: free
  std::atomic<std::size_t> size{0};
  std::atomic<bool> isCut{false};
  int descriptor = -1;  // of this and what follows the mutex decides
  fs::path path;
};
std::array<Mapping, 512> mappings;
std::atomic<std::size_t> used{0};  // of these, the first ones
std::mutex listing;
std::optional<fs::path> cutOnce;
std::uintptr_t pageSize = 0;

std::span<Mapping> inUse() { return {mappings.data(), used}; }

// From the page that is gone on, zeros.
bool fillWithZeros(std::uintptr_t address) {
  for (Mapping& mapping : inUse()) {
    const std::uintptr_t begin = mapping.begin, end = begin + mapping.size;
    if (begin == 0 || address < begin || address >= end) continue;
    const std::uintptr_t page = address / pageSize * pageSize;
    mapping.isCut = true;
    if (::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
               -1, 0) != MAP_FAILED)
      return true;
  }
  return false;
}

void handleLostPages() {
  static std::once_flag once;
  std::call_once(once, [] {
    pageSize = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    supplyMissingPages(fillWithZeros);
  });
}

// Whether there was a place for it.
bool list(std::span<const std::byte> bytes, int descriptor, const fs::path& path) {
  handleLostPages();
  const std::lock_guard lock(listing);
  for (Mapping& mapping : mappings) {
    if (mapping.begin != 0) continue;
    mapping.descriptor = ::dup(descriptor), mapping.path = path;
    mapping.size = bytes.size(), mapping.isCut = false;
    mapping.begin = reinterpret_cast<std::uintptr_t>(bytes.data());
    used = std::max(used.load(), static_cast<std::size_t>(&mapping - mappings.data()) + 1);
    return true;
  }
  return false;
}

bool isCutShort(const Mapping& mapping) {
  struct stat status {};
  return mapping.isCut || (::fstat(mapping.descriptor, &status) == 0 &&
                           static_cast<std::size_t>(status.st_size) < mapping.size);
}

Mapping* mappingAt(const void* byte) {
  const auto address = reinterpret_cast<std::uintptr_t>(byte);
  for (Mapping& mapping : inUse())
    if (mapping.begin != 0 && address >= mapping.begin && address < mapping.begin + mapping.size)
      return &mapping;
  return nullptr;
}

void unlist(std::span<const std::byte> bytes) {
  const std::lock_guard lock(listing);
  Mapping& mapping = *mappingAt(bytes.data());
  if (isCutShort(mapping)) cutOnce = mapping.path;
  ::close(mapping.descriptor);
  mapping.begin = 0;
}

}  // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const fs::path& path) {
  // Not blocking: opening a pipe would otherwise wait for a writer.
  const Descriptor descriptor{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (descriptor.number < 0) return cannot("cannot be opened", path);
  struct stat status {};
  if (::fstat(descriptor.number, &status) != 0) return cannot("cannot be read", path);
  if (!S_ISREG(status.st_mode)) return Error{"is not a regular file", path.string(), ""};
  std::shared_ptr<MappedFile> file(new MappedFile);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return std::shared_ptr<const MappedFile>(file);
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor.number, 0);
  if (address == MAP_FAILED) return cannot("cannot be mapped", path);
  file->bytes_ = {static_cast<const std::byte*>(address), size};
  if (list(file->bytes_, descriptor.number, path)) return std::shared_ptr<const MappedFile>(file);
  ::munmap(address, size);
  file->bytes_ = {};
  auto copy = readWhole(path, size);
  if (!copy) return copy.error();
  file->copy_ = *std::move(copy);
  file->bytes_ = {reinterpret_cast<const std::byte*>(file->copy_.get()), size};
  return std::shared_ptr<const MappedFile>(file);
}

MappedFile::~MappedFile() {
  if (bytes_.empty() || copy_) return;
  unlist(bytes_);
  ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

std::optional<fs::path> MappedFile::cutAt(const void* byte) {
  const std::lock_guard lock(listing);
  const Mapping* mapping = mappingAt(byte);
  return mapping && isCutShort(*mapping) ? std::optional(mapping->path) : std::nullopt;
}

std::optional<fs::path> MappedFile::everCut() {
  const std::lock_guard lock(listing);
  return cutOnce;
}

#endif

}  // namespace glassformer
