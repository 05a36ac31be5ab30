#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <string_view>

#include "core/result.h"

namespace glassformer {

/// What changes whenever a file is written anew. The system notes itself when a file was changed and which
/// one it is, so that neither the same size nor a time that was put back hides it; Windows, where nobody asks
/// for it here, says neither.
struct FileStamp {
  std::filesystem::file_time_type written;
  std::uintmax_t bytes = 0;
  std::intmax_t changedSeconds = 0, changedNanoseconds = 0;
  std::uintmax_t number = 0;  ///< of the file on its disk
  bool operator==(const FileStamp&) const = default;
};
/// Of the files of a folder, or of one file. Empty where there is nothing.
using FileStamps = std::map<std::string, FileStamp>;
FileStamps stampsOf(const std::filesystem::path& path);

bool isThere(const std::filesystem::path& path);

/// Reads a text file whole, its bytes as they are. Refuses files over `limit` bytes before reading them.
Result<std::string> readTextFile(const std::filesystem::path& path,
                                 std::size_t limit = std::size_t{256} << 20);

/// Writes a file so that at any moment, whatever happens to this process, the path holds either the old
/// content whole or the new content whole: the new content goes to `<path>.part`, which then is renamed. The
/// folder must exist. A link stays, and what it leads to is written; devices and pipes are written into. Of
/// two programs that write it at once one waits for the other, for some seconds at most.
Status writeFile(const std::filesystem::path& path, std::string_view content);
Status writeFile(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

}  // namespace glassformer
