#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/watch.h"

struct zip;

namespace glassformer {

/// Many files in one: a zip archive, which any other program opens, too.

/// A file to be put into an archive: what is in `file`, or `text` where that is empty.
struct FileToArchive {
  std::string name;  ///< within the archive, folders parted by slashes
  std::filesystem::path file;
  std::string text;
};

/// The same files give the same bytes, whenever they were changed. What was there stays until all is written;
/// links are followed and devices written into, as writeFile() does. The watch counts thousandths.
Status writeArchive(const std::filesystem::path& archive, const std::vector<FileToArchive>& files,
                    const ProgressCallback& watch = noProgress);

struct ArchivedFile {
  std::string name;
  std::uint64_t bytes = 0;     ///< unpacked
  std::uint32_t checksum = 0;  ///< CRC-32 (ISO 3309) of these
};

/// An archive whose directory has been read. Refuses names that lead out of the folder it is unpacked into,
/// links, and two files of one name.
class Archive {
 public:
  static Result<Archive> open(const std::filesystem::path& file);

  const std::vector<ArchivedFile>& files() const { return files_; }
  /// Eight hexadecimal digits of what is in it: another content has others.
  std::string checksum() const;
  /// A file's content, its checksum held; refuses more than `limit` bytes.
  Result<std::string> text(const std::string& name, std::size_t limit) const;
  /// Writes every file into a folder that is there. Refuses what has no room on the disk; an error may leave
  /// files behind. The watch counts thousandths.
  Status unpack(const std::filesystem::path& folder, const ProgressCallback& watch = noProgress) const;

 private:
  struct Close {
    void operator()(zip* archive) const;
  };
  std::filesystem::path file_;
  std::unique_ptr<zip, Close> zip_;
  std::vector<ArchivedFile> files_;
};

}  // namespace glassformer
