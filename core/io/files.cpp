#include "core/io/files.h"

#include <cerrno>
#include <fstream>
#include <system_error>
#ifndef _WIN32
#include <sys/stat.h>
#endif

#include "core/io/binary_file.h"
#include "core/io/file_lock.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds patience(5);

// What a path leads to, whether it is there or not.
Result<fs::path> behindLinks(fs::path path) {
  constexpr int mostLinks = 40;  // as many as Linux follows
  std::error_code error;
  const std::string asked = path.string();
  for (int links = 0; fs::is_symlink(path, error); ++links) {
    if (links == mostLinks) return Error{"is a link that leads in a circle", asked, ""};
    path = path.parent_path() / fs::read_symlink(path, error);
    if (error) return Error{"is a link that cannot be read: " + error.message(), asked, ""};
  }
  return path;
}

// `asked`: what messages call it.
Status writeInto(const fs::path& file, const fs::path& asked,
                 const std::function<void(std::ostream&)>& write) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  if (!stream)
    return Error{"cannot be written: " + std::generic_category().message(errno), asked.string(),
                 "does the folder exist, and may you write there?"};
  errno = 0;
  write(stream);
  stream.close();
  if (stream) return success();
  const std::string why = errno != 0 ? ": " + std::generic_category().message(errno) : "";
  return Error{"could not be written to its end" + why, asked.string(), "is there room for it?"};
}

FileStamp stampOf(const fs::path& file) {
  std::error_code gone;
  FileStamp stamp{.written = fs::last_write_time(file, gone), .bytes = fs::file_size(file, gone)};
#ifndef _WIN32
  struct stat status {};
  if (::stat(file.c_str(), &status) == 0) {
    stamp.changedSeconds = status.st_ctim.tv_sec;
    stamp.changedNanoseconds = status.st_ctim.tv_nsec;
    stamp.number = status.st_ino;
  }
#endif
  return stamp;
}

}  // namespace

FileStamps stampsOf(const fs::path& path) {
  FileStamps stamps;
  std::error_code error;
  const auto add = [&](const fs::path& file) {
    if (fs::is_regular_file(file, error)) stamps[file.filename().string()] = stampOf(file);
  };
  add(path);
  for (const auto& entry : fs::directory_iterator(path, error)) add(entry.path());
  return stamps;
}

bool isThere(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

Result<std::string> readTextFile(const std::filesystem::path& path, std::size_t limit) {
  const auto file = BinaryFile::open(path);
  if (!file) return file.error();
  const std::uint64_t size = (*file)->size();
  if (size > limit)
    return Error{"has " + std::to_string(size) + " bytes, at most " + std::to_string(limit) + " are read",
                 path.string(), ""};
  std::string text(size, '\0');
  if (Status read = (*file)->read(0, std::as_writable_bytes(std::span(text))); !read) return read.error();
  return text;
}

Status writeFile(const std::filesystem::path& path, std::string_view content) {
  return writeFile(path, [&](std::ostream& stream) {
    stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  });
}

Status writeFile(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write) {
  const auto target = behindLinks(path);
  if (!target) return target.error();
  std::error_code error;
  const fs::file_status status = fs::status(*target, error);
  if (fs::is_directory(status)) return Error{"is a folder", path.string(), "choose a file's name"};
  if (fs::exists(status) && !fs::is_regular_file(status)) return writeInto(*target, path, write);

  fs::path part = *target;
  part += ".part";
  // Of two that write the same file, in this program or in two, one waits for the other.
  const auto own = FileLock::take(part, patience);
  if (!own) return Error{"is being written by another program", path.string(), "try again when that is done"};
  if (Status written = writeInto(part, path, write); !written) {
    if (!fs::is_directory(part, error)) fs::remove(part, error);  // a folder is not ours
    return written;
  }
  if (fs::exists(status)) fs::permissions(part, status.permissions(), error);
  fs::rename(part, *target, error);
  if (!error) return success();
  const std::string why = error.message();
  fs::remove(part, error);
  return Error{"cannot be replaced: " + why, path.string(), "may you write there?"};
}

}  // namespace glassformer
