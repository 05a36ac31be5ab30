#include "core/io/mapped_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#ifndef _WIN32
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace glassformer {

#ifdef _WIN32

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& path) {
  std::error_code failure;
  const auto size = std::filesystem::file_size(path, failure);
  std::ifstream stream(path, std::ios::binary);
  if (failure || !stream)
    return Error{"cannot be read", path.string(), "does it exist, and may you read it?"};
  std::shared_ptr<MappedFile> file(new MappedFile);
  file->copy_ = std::make_unique<std::byte[]>(size);
  stream.read(reinterpret_cast<char*>(file->copy_.get()), static_cast<std::streamsize>(size));
  if (static_cast<std::uintmax_t>(stream.gcount()) != size)
    return Error{"cannot be read to its end", path.string(), ""};
  file->bytes_ = {file->copy_.get(), static_cast<std::size_t>(size)};
  return std::shared_ptr<const MappedFile>(file);
}

MappedFile::~MappedFile() = default;

#else

namespace {

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

Error cannot(const char* what, const std::filesystem::path& path) {
  return {std::string(what) + ": " + std::strerror(errno), path.string(), ""};
}

}  // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& path) {
  // Not blocking: opening a pipe would otherwise wait for a writer.
  const Descriptor descriptor{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (descriptor.number < 0) return cannot("cannot be opened", path);
  struct stat status {};
  if (::fstat(descriptor.number, &status) != 0) return cannot("cannot be looked at", path);
  if (!S_ISREG(status.st_mode)) return Error{"is no regular file", path.string(), ""};
  std::shared_ptr<MappedFile> file(new MappedFile);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return std::shared_ptr<const MappedFile>(file);
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor.number, 0);
  if (address == MAP_FAILED) return cannot("cannot be mapped", path);
  file->bytes_ = {static_cast<const std::byte*>(address), size};
  return std::shared_ptr<const MappedFile>(file);
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

#endif

}  // namespace glassformer
