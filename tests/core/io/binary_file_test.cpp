#include "core/io/binary_file.h"

#include <catch2/catch_test_macros.hpp>

#include "core/io/files.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;

namespace {

std::string stretchOf(BinaryFile& file, std::uint64_t begin, std::size_t size) {
  std::string text(size, ' ');
  const Status read = file.read(begin, std::as_writable_bytes(std::span(text)));
  return read ? text : read.error().message();
}

}  // namespace

TEST_CASE("any stretch of a file is read, in any order, also when another file has taken its place") {
  const TemporaryFolder folder;
  REQUIRE(writeFile(folder / "f", "first and second"));
  const auto file = BinaryFile::open(folder / "f");
  REQUIRE(file);
  CHECK((*file)->size() == 16);
  CHECK(stretchOf(**file, 0, 5) == "first");
  CHECK(stretchOf(**file, 5, 4) == " and");
  REQUIRE(writeFile(folder / "f", "short"));
  CHECK(stretchOf(**file, 10, 6) == "second");
  CHECK(stretchOf(**file, 0, 5) == "first");
  const auto inMemory = BinaryFile::of("content", "m");
  CHECK(inMemory->size() == 7);
  CHECK(stretchOf(*inMemory, 3, 4) == "tent");
}

TEST_CASE("a file that has become shorter is named, and what is left of it can be read") {
  const TemporaryFolder folder;
  REQUIRE(writeFile(folder / "f", std::string(100000, 'x')));
  const auto file = BinaryFile::open(folder / "f");
  REQUIRE(file);
  std::filesystem::resize_file(folder / "f", 10);
  CHECK(stretchOf(**file, 50000, 4) ==
        (folder / "f").string() + ": cannot be read to its end (open it again when it is whole)");
  CHECK(stretchOf(**file, 0, 4) == "xxxx");
}

TEST_CASE("what cannot be opened and what is no file is refused") {
  const TemporaryFolder folder;
  CHECK(BinaryFile::open(folder / "missing").error().message().find("cannot be opened") != std::string::npos);
  CHECK(BinaryFile::open(folder.path()).error().what == "is not a regular file");
}
