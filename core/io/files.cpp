#include "core/io/files.h"

#include <cerrno>
#include <fstream>
#include <system_error>

#include "core/io/mapped_file.h"

namespace glassformer {

Result<std::string> readTextFile(const std::filesystem::path& path, std::size_t limit) {
  const auto file = MappedFile::open(path);
  if (!file) return file.error();
  const auto bytes = (*file)->bytes();
  if (bytes.size() > limit)
    return Error{
        "has " + std::to_string(bytes.size()) + " bytes, at most " + std::to_string(limit) + " are read",
        path.string(), ""};
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

Status writeFile(const std::filesystem::path& path, std::string_view content) {
  return writeFile(path, [&](std::ostream& stream) {
    stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  });
}

Status writeFile(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write) {
  std::filesystem::path part = path;
  part += ".part";
  std::error_code failure;
  const auto giveUp = [&](const char* what, const char* hint) {
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    return Error{what, path.string(), hint};
  };
  {
    std::ofstream stream(part, std::ios::binary | std::ios::trunc);
    if (!stream)
      return Error{"cannot be written: " + std::generic_category().message(errno), path.string(),
                   "does the folder exist, and may you write there?"};
    write(stream);
    stream.close();
    if (!stream) return giveUp("could not be written to its end", "is the disk full?");
  }
  std::filesystem::rename(part, path, failure);
  if (failure) return giveUp("cannot be replaced", "may you write there?");
  return success();
}

}  // namespace glassformer
