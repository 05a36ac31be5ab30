#pragma once
#include <filesystem>
#include <string>

namespace glassformer {

/// How a file's name ends, in small letters: ".svg" of "a.SVG".
std::string endingOf(const std::filesystem::path& file);

}  // namespace glassformer
