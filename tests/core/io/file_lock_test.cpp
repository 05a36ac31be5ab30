#include "core/io/file_lock.h"

#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "core/io/files.h"
#include "tests/core/io/temporary_folder.h"

#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#endif

using namespace glassformer;
namespace fs = std::filesystem;

TEST_CASE("of all that ask for a file one has it, until it lets go") {
  const TemporaryFolder folder;
  auto first = FileLock::take(folder / "f");
  REQUIRE(first);
  CHECK_FALSE(FileLock::take(folder / "f"));
  CHECK(FileLock::take(folder / "g"));
  FileLock moved = std::move(*first);
  first.reset();
  CHECK_FALSE(FileLock::take(folder / "f", std::chrono::milliseconds(5)));
  moved = *FileLock::take(folder / "h");
  CHECK(FileLock::take(folder / "f"));
}

TEST_CASE("what cannot be held is nobody's, and no folder is made into a file") {
  const TemporaryFolder folder;
  CHECK(FileLock::take(folder / "nowhere" / "f"));
  CHECK(FileLock::takeFolder(folder / "nowhere"));
  CHECK_FALSE(fs::exists(folder / "nowhere"));
}

#ifndef _WIN32
TEST_CASE("of all that ask for a folder one has it, and with a killed program it is free again") {
  const TemporaryFolder folder;
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto held = FileLock::takeFolder(folder.path());
    if (held && ::write(ends[1], "x", 1) == 1) ::pause();
    ::_exit(1);
  }
  char said = 0;
  REQUIRE(::read(ends[0], &said, 1) == 1);
  CHECK_FALSE(FileLock::takeFolder(folder.path()));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  CHECK(FileLock::takeFolder(folder.path()));
  ::close(ends[0]), ::close(ends[1]);
}

TEST_CASE("two programs that write one file wait for each other, and it is whole at any moment") {
  const TemporaryFolder folder;
  const std::string ours(300'000, 'a'), theirs(200'000, 'b');
  const pid_t child = ::fork();
  if (child == 0) {
    bool wrote = true;
    for (int i = 0; i < 200 && wrote; ++i) wrote = static_cast<bool>(writeFile(folder / "f", theirs));
    ::_exit(wrote ? 0 : 1);
  }
  for (int i = 0; i < 200; ++i) {
    REQUIRE(writeFile(folder / "f", ours));
    const auto text = readTextFile(folder / "f");
    REQUIRE(text);
    REQUIRE((*text == ours || *text == theirs));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
}
#endif
