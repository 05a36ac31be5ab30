// What `cmake --install` and `cpack` make.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <set>
#include <sstream>

#include "app/document/session.h"
#include "tests/app/cli/program_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

int shell(const std::string& command) { return std::system((command + " >/dev/null 2>&1").c_str()); }

// Every file and link below a folder, by its path there.
std::set<std::string> filesBelow(const fs::path& folder) {
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (!entry.is_directory()) files.insert(entry.path().lexically_relative(folder).string());
  return files;
}

// What a command lists, a path a line, without what stands before it; folders left out.
std::set<std::string> listed(const Folder& folder, const std::string& command, const std::string& before) {
  const fs::path out = folder / "listed";
  REQUIRE(std::system((command + " >" + out.string()).c_str()) == 0);
  std::set<std::string> files;
  std::istringstream lines(content(out));
  for (std::string line; std::getline(lines, line);) {
    REQUIRE(line.starts_with(before.substr(0, line.size())));
    if (line.size() > before.size() && !line.ends_with('/')) files.insert(line.substr(before.size()));
  }
  return files;
}

}  // namespace

TEST_CASE("what is installed runs wherever it lies, with its models, lessons, page and entry", "[others]") {
  const Folder folder;
  const fs::path prefix = folder / "in stalled";
  const std::string install = "cmake --install " + thisBuild().folder + " --component program --prefix \"" +
                              prefix.string() + "\" >/dev/null 2>&1";
  REQUIRE(std::system(install.c_str()) == 0);
  const fs::path share = prefix / "share";
  for (const char* file :
       {"applications/glassformer.desktop", "icons/hicolor/scalable/apps/glassformer.svg",
        "mime/packages/glassformer.xml", "man/man1/glassformer.1", "bash-completion/completions/glassformer"})
    CHECK(fs::file_size(share / file) > 100);
  const fs::path moved = folder / "moved";
  fs::rename(prefix, moved);
  const auto run = [&](const std::string& arguments) {
    const fs::path out = folder / "out";
    const std::string command =
        (moved / "bin" / "glassformer").string() + " " + arguments + " >" + out.string();
    REQUIRE(std::system(command.c_str()) == 0);
    return content(out);
  };
  CHECK_THAT(run("models"), ContainsSubstring((moved / "share/glassformer/assets/models/stories").string()));
  CHECK_THAT(run("lesson check 03_soft_lookup"), ContainsSubstring("all correct"));
  // What the entry starts is what is installed, and its icon is there.
  const std::string entry = content(moved / "share/applications/glassformer.desktop");
  CHECK_THAT(entry,
             ContainsSubstring("\nExec=glassformer %f\n") && ContainsSubstring("\nIcon=glassformer\n"));
  CHECK_THAT(entry, ContainsSubstring("application/x-glassformer-session;"));
  // A session is known by its beginning.
  const fs::path session = folder / "session.json";
  REQUIRE(saveSession(session, initialWorkspace()));
  const std::size_t at = content(session).find("\"glassformer session\"");
  CHECK(at <= 64);
  CHECK_THAT(content(moved / "share/mime/packages/glassformer.xml"), ContainsSubstring("offset=\"0:64\""));

  // Nothing of it leads back to where it was built, or to our sources.
  for (const std::string& file : filesBelow(moved)) {
    INFO(file);
    CHECK(content(moved / file).find(thisBuild().folder) == std::string::npos);
    CHECK(content(moved / file).find(SOURCE_FOLDER) == std::string::npos);
  }
  // It writes and checks without anything beside it, from a folder that is none of ours.
  const std::string elsewhere = "cd / && env -i HOME=" + (folder / "home").string() + " ";
  const auto works = [&](const std::string& arguments) {
    return shell(elsewhere + (moved / "bin/glassformer").string() + " " + arguments) == 0;
  };
  CHECK(works("generate --model sort --text 'cab>'"));
  CHECK(works("trace --model sort --text 'cab>' --out " + (folder / "mine.safetensors").string()));
  CHECK(works("check sort --reference " + (folder / "mine.safetensors").string()));
  CHECK(works("render --out " + (folder / "head.svg").string()));
  CHECK(works("manual --out " + (folder / "manual.html").string()));
  CHECK_FALSE(works("check sort --reference " + (folder / "lost.npz").string()));
  // What other programs read of it is what they take for right.
  CHECK(shell("bash -n " + (moved / "share/bash-completion/completions/glassformer").string()) == 0);
  CHECK_THAT(content(moved / "share/zsh/vendor-completions/_glassformer"),
             ContainsSubstring("#compdef glassformer"));
  CHECK_THAT(content(moved / "share/fish/vendor_completions.d/glassformer.fish"),
             ContainsSubstring("complete -c glassformer"));
  CHECK(shell("xmllint --noout " + (moved / "share/mime/packages/glassformer.xml").string() + " " +
              (moved / "share/icons/hicolor/scalable/apps/glassformer.svg").string()) == 0);
  CHECK(run("manual") == content(moved / "share/man/man1/glassformer.1"));
  const fs::path warned = folder / "warned";
  REQUIRE(std::system(("groff -K utf8 -man -ww -Tutf8 " + (moved / "share/man/man1/glassformer.1").string() +
                       " 2>" + warned.string() + " >/dev/null")
                          .c_str()) == 0);
  CHECK(content(warned) == "");
}

TEST_CASE("the .deb and the archive hold what is installed, and the archive the libraries besides",
          "[others]") {
  const Folder folder;
  const fs::path prefix = folder / "installed", packages = folder / "packages";
  REQUIRE(shell("cmake --install " + thisBuild().folder + " --component program --prefix " +
                prefix.string()) == 0);
  // As released, but for what takes long: compression, stripping, and which packages the libraries are of.
  REQUIRE(shell("cd " + thisBuild().folder +
                " && cpack -G 'DEB;TZST' -D CPACK_DEBIAN_COMPRESSION_TYPE=none "
                "-D CPACK_DEBIAN_PACKAGE_SHLIBDEPS=OFF -D CPACK_STRIP_FILES=OFF -B " +
                packages.string()) == 0);
  fs::path deb, archive;
  for (const auto& entry : fs::directory_iterator(packages)) {
    if (entry.path().extension() == ".deb") deb = entry.path();
    if (entry.path().extension() == ".zst") archive = entry.path();
  }
  const std::set<std::string> installed = filesBelow(prefix);
  CHECK(installed.size() > 100);
  CHECK(listed(folder, "dpkg-deb --fsys-tarfile " + deb.string() + " | tar t", "./usr/") == installed);
  const std::string top = archive.stem().stem().string() + "/";
  std::set<std::string> unpacked = listed(folder, "cmake -E tar tf " + archive.string(), top), libraries;
  for (const std::string& file : unpacked)
    if (file.starts_with("lib")) libraries.insert(file);
  for (const std::string& file : libraries) {
    unpacked.erase(file);
    CHECK(file.find("/glassformer/lib") != std::string::npos);
  }
  CHECK(unpacked == installed);
  CHECK(libraries.size() > 10);
  for (const char* own : {"/libc.so", "/libstdc++.so", "/libGL.so"})  // of the system, and its drivers
    for (const std::string& file : libraries) CHECK(file.find(own) == std::string::npos);
  // The archive runs from where it is unpacked, with the libraries beside the program.
  REQUIRE(shell("cd " + folder.path().string() + " && cmake -E tar xf " + archive.string()) == 0);
  CHECK(shell("cd / && env -i " + (folder / top.c_str()).string() +
              "bin/glassformer generate --model sort --text 'cab>'") == 0);
  const fs::path said = folder / "control";
  REQUIRE(std::system(("dpkg-deb -f " + deb.string() + " Package Depends >" + said.string()).c_str()) == 0);
  CHECK_THAT(content(said), ContainsSubstring("Package: glassformer\n") && ContainsSubstring("libgl1"));
}
