#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>

#include "core/result.h"

namespace glassformer {

bool isThere(const std::filesystem::path& path);

/// Reads a text file whole, its bytes as they are. Refuses files over `limit` bytes before reading them.
Result<std::string> readTextFile(const std::filesystem::path& path,
                                 std::size_t limit = std::size_t{256} << 20);

/// Writes a file so that at any moment, whatever happens to this process, the path holds either the old
/// content whole or the new content whole: the new content goes to `<path>.part`, which then is renamed. The
/// folder must exist. A link stays, and what it leads to is written; devices and pipes are written into.
Status writeFile(const std::filesystem::path& path, std::string_view content);
Status writeFile(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

}  // namespace glassformer
