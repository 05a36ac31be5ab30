#include "core/io/binary_file.h"

#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

namespace glassformer {

namespace fs = std::filesystem;

Result<std::shared_ptr<BinaryFile>> BinaryFile::open(const fs::path& path) {
  std::error_code failure;
  // Asked beforehand: opening a pipe would wait for a writer.
  if (fs::exists(path, failure) && !fs::is_regular_file(path, failure))
    return Error{"is not a regular file", path.string(), ""};
  auto stream = std::make_unique<std::ifstream>(path, std::ios::binary | std::ios::ate);
  if (!*stream)
    return Error{"cannot be opened: " + std::generic_category().message(errno), path.string(), ""};
  const auto size = static_cast<std::uint64_t>(stream->tellg());
  stream->seekg(0);
  return std::shared_ptr<BinaryFile>(new BinaryFile(std::move(stream), size, path.string()));
}

std::shared_ptr<BinaryFile> BinaryFile::of(std::string bytes, std::string name) {
  const std::uint64_t size = bytes.size();
  return std::shared_ptr<BinaryFile>(
      new BinaryFile(std::make_unique<std::istringstream>(std::move(bytes)), size, std::move(name)));
}

// What is read in sequence goes on in the stream's buffer.
Status BinaryFile::read(std::uint64_t begin, std::span<std::byte> to) {
  if (begin != at_) stream_->clear(), stream_->seekg(static_cast<std::streamoff>(begin));
  stream_->read(reinterpret_cast<char*>(to.data()), static_cast<std::streamsize>(to.size()));
  at_ = begin + to.size();
  if (*stream_) return success();
  at_ = size_ + 1;  // nowhere: the next one seeks
  return Error{"cannot be read to its end", name_, "open it again when it is whole"};
}

}  // namespace glassformer
