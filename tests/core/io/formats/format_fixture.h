#pragma once
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>

#include "core/io/files.h"
#include "core/io/model_directory.h"
#include "tests/core/io/temporary_folder.h"

namespace glassformer {

namespace fs = std::filesystem;

/// Directories of other families, written by PyTorch modules of the published architectures:
/// tests/reference/make_format_reference.py.
inline const fs::path formats = fs::path(SOURCE_FOLDER) / "tests" / "reference" / "formats";

inline std::string textOf(const fs::path& path) {
  const auto text = readTextFile(path);
  REQUIRE(text);
  return *text;
}

/// A copy of a fixture whose files can be damaged.
class Copied {
 public:
  explicit Copied(const char* name) { fs::copy(formats / name, folder_.path(), fs::copy_options::recursive); }
  Copied& with(const std::string& what, const std::string& by, const char* file = "config.json") {
    std::string text = textOf(folder_ / file);
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    text.replace(at, what.size(), by);
    REQUIRE(writeFile(folder_ / file, text));
    return *this;
  }
  fs::path path() const { return folder_.path(); }
  std::string refusal() const {
    const auto read = readModelDirectory(folder_.path());
    return read ? "accepted" : read.error().message();
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace glassformer
