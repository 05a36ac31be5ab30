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

/// What is said of a file whose end is gone: see MappedFile.
Error cutShort(const std::filesystem::path& file);

/// When the files of a folder, or one file, were written last, and their bytes: as long as it is the same,
/// none was written anew, whatever the clock says. Empty where there is nothing.
using FileStamps = std::map<std::string, std::pair<std::filesystem::file_time_type, std::uintmax_t>>;
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
