#include "core/io/files.h"

#include <catch2/catch_test_macros.hpp>

#include "core/io/mapped_file.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;

TEST_CASE("a written file is read back byte for byte, and nothing else is left behind") {
  const TemporaryFolder folder;
  const std::string content("a\0b\r\n\xFF", 6);
  REQUIRE(writeFile(folder / "f", "old and longer than the new one"));
  REQUIRE(writeFile(folder / "f", content));
  const auto read = readTextFile(folder / "f");
  REQUIRE(read);
  CHECK(*read == content);
  CHECK_FALSE(std::filesystem::exists(folder / "f.part"));
}

TEST_CASE("an interrupted or failed write leaves the old file") {
  const TemporaryFolder folder;
  REQUIRE(writeFile(folder / "f", "old"));
  const Status failed = writeFile(folder / "f", [](std::ostream& stream) {
    stream << "half of the n";
    stream.setstate(std::ios::badbit);
  });
  CHECK_FALSE(failed);
  CHECK(*readTextFile(folder / "f") == "old");
  CHECK_FALSE(std::filesystem::exists(folder / "f.part"));
  CHECK_FALSE(writeFile(folder / "no such folder/f", "x"));
}

TEST_CASE("what is no readable file is refused with its path") {
  const TemporaryFolder folder;
  for (const auto& path : {folder / "missing", folder.path()}) {
    const auto read = readTextFile(path);
    REQUIRE_FALSE(read);
    CHECK(read.error().where == path.string());
  }
  REQUIRE(writeFile(folder / "empty", ""));
  CHECK(*readTextFile(folder / "empty") == "");
  REQUIRE(writeFile(folder / "large", "12345"));
  CHECK_FALSE(readTextFile(folder / "large", 4));
}

TEST_CASE("a mapping outlives the replacement of its file") {
  const TemporaryFolder folder;
  REQUIRE(writeFile(folder / "f", "first"));
  const auto mapped = MappedFile::open(folder / "f");
  REQUIRE(mapped);
  REQUIRE(writeFile(folder / "f", "second"));
  CHECK(std::string(reinterpret_cast<const char*>((*mapped)->bytes().data()), 5) == "first");
}
