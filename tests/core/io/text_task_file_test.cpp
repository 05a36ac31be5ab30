#include "core/io/text_task_file.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>

#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

TEST_CASE("a text file becomes a task, and what is none says why") {
  const TemporaryFolder folder;
  const auto errorOf = [](const fs::path& path) {
    const auto task = readTextTask(path, TextTokens::Character, 1, 10);
    return task ? "" : task.error().message();
  };
  CHECK_THAT(errorOf(folder / "missing.txt"),
             ContainsSubstring("missing.txt") && ContainsSubstring("cannot be opened"));
  CHECK_THAT(errorOf(fs::path(folder / "x").parent_path()), ContainsSubstring("not a regular file"));
  std::ofstream(folder / "empty.txt").close();
  CHECK_THAT(errorOf(folder / "empty.txt"), ContainsSubstring("empty.txt") && ContainsSubstring("is empty"));
  std::ofstream(folder / "picture.png", std::ios::binary) << std::string("\x89PNG\r\n\x1A\n\0\0\0\rIHDR", 16);
  CHECK_THAT(errorOf(folder / "picture.png"), ContainsSubstring("picture.png, byte 8"));
  // A gigabyte that is never read: only its size is looked at.
  std::ofstream(folder / "huge.txt").close();
  fs::resize_file(folder / "huge.txt", std::uintmax_t{1} << 30);
  CHECK_THAT(errorOf(folder / "huge.txt"), ContainsSubstring("1073741824 bytes"));
  std::ofstream(folder / "poem.txt") << std::string(2000, 'a');
  const auto task = readTextTask(folder / "poem.txt", TextTokens::Character, 1, 10);
  REQUIRE(task);
  CHECK((*task)->recipe().arguments == "--file poem.txt --tokenizer character");
}
