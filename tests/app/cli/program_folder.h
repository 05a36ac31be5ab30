#pragma once
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "tests/this_build.h"

namespace glassformer {

/// What a command said, and how it ended.
struct Run {
  int status = -1;
  std::string out, error;
};

inline std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The records of a CSV, without the question above them.
inline std::string tableOf(const std::string& csv) {
  std::istringstream lines(csv);
  std::string table;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("# ")) table += line + "\n";
  return table;
}

/// A folder that is gone afterwards; and the program, run from a shell.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() / ("glassformer-cli-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

  /// `by`: what else starts the program, with a space behind it.
  Run run(const std::string& arguments, const std::string& by = "") const {
    const std::filesystem::path error = path_ / "stderr";
    const std::string command = by + thisBuild().program + " " + arguments + " 2>" + error.string();
    Run result;
    FILE* pipe = ::popen(command.c_str(), "r");
    REQUIRE(pipe);
    char buffer[4096];
    for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) result.out.append(buffer, n);
    const int status = ::pclose(pipe);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result.error = content(error);
    return result;
  }

 private:
  std::filesystem::path path_;
};

/// What a terminal shows as one line and nothing else.
inline bool isPlainLine(const std::string& text) {
  const bool shown = std::all_of(text.begin(), text.end() - !text.empty(),
                                 [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7F; });
  return text.starts_with("glassformer: ") && text.ends_with("\n") && shown && text.size() < 1200;
}

inline bool isOneLine(const std::string& text) { return !text.empty() && text.find('\n') == text.size() - 1; }

}  // namespace glassformer
