#include "app/archives/archive.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/io/files.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

std::string contentOf(const fs::path& file) { return *readTextFile(file); }

void write(const fs::path& file, const std::string& content) { REQUIRE(writeFile(file, content)); }

// The archive with something else than it had in the directory at its end, so many bytes into an entry.
void patchDirectory(const fs::path& file, std::size_t offset, const std::string& bytes) {
  std::string archive = contentOf(file);
  const std::size_t entry = archive.find("PK\1\2");
  REQUIRE(entry != std::string::npos);
  archive.replace(entry + offset, bytes.size(), bytes);
  write(file, archive);
}

std::string faultOf(const fs::path& file) {
  const auto archive = Archive::open(file);
  return archive ? "" : archive.error().message();
}

}  // namespace

TEST_CASE("files come out of an archive as they went in, and the same files are the same bytes") {
  const TemporaryFolder folder;
  write(folder / "weights", std::string(300'000, 'w') + "end");
  const std::vector<FileToArchive> files{{"a.json", {}, "{}"},
                                         {"models/one/model.safetensors", folder / "weights", ""},
                                         {"models/one/empty.txt", {}, ""}};
  REQUIRE(writeArchive(folder / "one", files));
  fs::last_write_time(folder / "weights", fs::file_time_type::clock::now() - std::chrono::hours(900));
  REQUIRE(writeArchive(folder / "two", files));
  CHECK(contentOf(folder / "one") == contentOf(folder / "two"));
  CHECK_FALSE(fs::exists(folder / "one.part"));

  const auto archive = Archive::open(folder / "one");
  REQUIRE(archive);
  REQUIRE(archive->files().size() == 3);
  CHECK(archive->files()[1].bytes == 300'003);
  CHECK(*archive->text("a.json", 10) == "{}");
  CHECK_FALSE(archive->text("a.json", 1));
  CHECK_FALSE(archive->text("b.json", 10));
  int last = 0;
  fs::create_directories(folder / "out");
  REQUIRE(archive->unpack(folder / "out", [&](int done, int total) {
    CHECK(done >= last);
    CHECK(total == 1000);
    last = done;
    return true;
  }));
  CHECK(last == 1000);
  CHECK(contentOf(folder / "out" / "models/one/model.safetensors") == contentOf(folder / "weights"));
  CHECK(contentOf(folder / "out" / "models/one/empty.txt").empty());

  write(folder / "weights", "other");
  REQUIRE(writeArchive(folder / "two", files));
  CHECK(Archive::open(folder / "two")->checksum() != archive->checksum());
}

TEST_CASE("what is packed over a link goes where it leads, and what cannot be read leaves no archive") {
  const TemporaryFolder folder;
  write(folder / "real", "old");
  fs::create_symlink(folder / "real", folder / "link");
  REQUIRE(writeArchive(folder / "link", {{"a", {}, "a"}}));
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(Archive::open(folder / "real"));
  CHECK_FALSE(writeArchive(folder / "none", {{"a", folder / "nowhere", ""}}));
  CHECK_FALSE(fs::exists(folder / "none"));
  CHECK_FALSE(writeArchive(folder / "none", {{"a.bin", {}, std::string(5'000'000, 'x')}},
                           [](int done, int) { return done < 100; }));
  CHECK_FALSE(fs::exists(folder / "none"));
  CHECK_FALSE(writeArchive(folder / "no folder" / "none", {{"a", {}, "a"}}));
}

TEST_CASE("an archive whose files lead out of their folder, are links or are there twice is refused") {
  const TemporaryFolder folder;
  const fs::path file = folder / "a";
  for (const char* name : {"../up", "/etc/passwd", "a/../../up", "a\\b", "./a"}) {
    INFO(name);
    REQUIRE(writeArchive(file, {{name, {}, "x"}}));
    CHECK_THAT(faultOf(file), ContainsSubstring("damaged"));
  }
  REQUIRE(writeArchive(file, {{"a", {}, "target"}}));
  CHECK(faultOf(file).empty());
  patchDirectory(file, 5, "\3");                             // written on Unix
  patchDirectory(file, 38, std::string("\0\0\xff\xa1", 4));  // as a link
  CHECK_THAT(faultOf(file), ContainsSubstring("is a link"));
}

TEST_CASE("an archive that is cut or changed anywhere is refused, or gives what is still whole") {
  const TemporaryFolder folder;
  const fs::path file = folder / "a";
  std::string content;
  for (int i = 0; i < 2000; ++i) content += std::to_string(i * i);
  REQUIRE(writeArchive(file, {{"a.json", {}, content}, {"b.gguf", {}, "dense"}}));
  const std::string whole = contentOf(file);
  const auto holds = [&](const std::string& bytes) {
    write(file, bytes);
    const auto archive = Archive::open(file);
    if (!archive) return;
    const auto text = archive->text("a.json", 1 << 20);
    if (text) CHECK(*text == content);
    const fs::path out = folder / "out";
    fs::remove_all(out);
    fs::create_directories(out);
    static_cast<void>(archive->unpack(out));
  };
  for (std::size_t cut = 0; cut < whole.size(); cut += whole.size() / 60 + 1) holds(whole.substr(0, cut));
  for (std::size_t i = 0; i < whole.size(); i += i < whole.size() - 250 ? 97 : 1) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 0x55);
    holds(changed);
  }
}
