#include "core/io/files.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>
#include <thread>

#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

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

#ifndef _WIN32
TEST_CASE("a link stays, and the file that it leads to is replaced as a whole") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "elsewhere");
  fs::create_symlink("elsewhere/f", folder / "link");
  fs::create_symlink(folder / "link", folder / "second");
  for (const char* content : {"new", "newer"}) {  // first there is nothing behind it
    REQUIRE(writeFile(folder / "second", content));
    CHECK(fs::is_symlink(folder / "link"));
    CHECK(fs::is_symlink(folder / "second"));
    CHECK(*readTextFile(folder / "elsewhere/f") == content);
  }
  fs::create_symlink("circle", folder / "circle");
  const Status round = writeFile(folder / "circle", "x");
  REQUIRE_FALSE(round);
  CHECK_THAT(round.error().message(), ContainsSubstring("leads in a circle"));
}

TEST_CASE("a replaced file keeps who may read it") {
  const TemporaryFolder folder;
  REQUIRE(writeFile(folder / "f", "private"));
  fs::permissions(folder / "f", fs::perms::owner_read | fs::perms::owner_write);
  REQUIRE(writeFile(folder / "f", "still private"));
  CHECK(fs::status(folder / "f").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}
#endif

#ifdef __linux__
TEST_CASE("a device is written into, never replaced, and says when it takes nothing") {
  const TemporaryFolder folder;
  fs::create_symlink("/dev/full", folder / "full");
  fs::create_symlink("/dev/null", folder / "null");
  const Status full = writeFile(folder / "full", "x");
  REQUIRE_FALSE(full);
  CHECK_THAT(full.error().message(),
             ContainsSubstring("No space left on device") && ContainsSubstring("full"));
  CHECK(writeFile(folder / "null", "x"));
  CHECK(fs::is_character_file("/dev/full"));
  CHECK(fs::is_character_file("/dev/null"));
  CHECK_FALSE(fs::exists("/dev/full.part"));
}
#endif

TEST_CASE("a folder is no file to write") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "f");
  const Status refused = writeFile(folder / "f", "x");
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message(), ContainsSubstring("is a folder"));
  CHECK_FALSE(fs::exists(folder / "f.part"));
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

TEST_CASE("a folder in the way of the part that is written stays, however often it is tried") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "f.part");
  for (int i = 0; i < 2; ++i) CHECK_FALSE(writeFile(folder / "f", "new"));
  CHECK(std::filesystem::is_directory(folder / "f.part"));
  CHECK_FALSE(std::filesystem::exists(folder / "f"));
}

TEST_CASE("files that were written anew are told, also where the clock was put back") {
  const TemporaryFolder folder;
  CHECK(stampsOf(folder / "nothing").empty());
  REQUIRE(writeFile(folder / "f", "one"));
  const FileStamps one = stampsOf(folder.path()), alone = stampsOf(folder / "f");
  CHECK(one == alone);
  fs::last_write_time(folder / "f", fs::last_write_time(folder / "f") - std::chrono::hours(72));
  CHECK(stampsOf(folder.path()) != one);
  CHECK(stampsOf(folder / "f") != alone);
}

#ifndef _WIN32
TEST_CASE("a file that was written anew with the same size and its old time is told, too") {
  const TemporaryFolder folder;
  REQUIRE(writeFile(folder / "f", "one"));
  const FileStamps before = stampsOf(folder / "f");
  const auto written = fs::last_write_time(folder / "f");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // systems note times some milliseconds apart
  std::ofstream(folder / "f", std::ios::binary) << "two";      // the same file
  fs::last_write_time(folder / "f", written);
  CHECK(stampsOf(folder / "f") != before);
}
#endif
