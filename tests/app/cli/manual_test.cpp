#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>
#include <regex>

#include "tests/app/cli/program_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

TEST_CASE("the manual page and the completions know every command and option") {
  const Folder folder;
  const std::string help = folder.run("render --help").out, page = folder.run("manual").out;
  const std::regex option("--([a-z-]+)");
  int options = 0;
  for (std::sregex_iterator it(help.begin(), help.end(), option), none; it != none; ++it, ++options) {
    INFO(it->str());
    CHECK(page.find(std::regex_replace(it->str(), std::regex("-"), "\\-")) != std::string::npos);
  }
  CHECK(options > 15);
  for (const char* shell : {"bash", "zsh", "fish"})
    CHECK_THAT(folder.run("completions " + std::string(shell)).out, ContainsSubstring("all-tensors"));
  CHECK(folder.run("completions csh").status == 2);

  const fs::path script = folder / "complete.bash", ask = folder / "ask.bash";
  std::ofstream(script) << folder.run("completions bash").out;
  std::ofstream(ask) << "source " << script.string() << "\n"
                     << "COMP_WORDS=(glassformer ren); COMP_CWORD=1; _glassformer; echo ${COMPREPLY[@]}\n"
                     << "COMP_WORDS=(glassformer render --pic); COMP_CWORD=2; _glassformer; echo "
                        "${COMPREPLY[@]}\n";
  FILE* const pipe = ::popen(("bash " + ask.string()).c_str(), "r");
  REQUIRE(pipe);
  char buffer[256] = {};
  const std::size_t length = std::fread(buffer, 1, sizeof buffer, pipe);
  CHECK(::pclose(pipe) == 0);
  CHECK(std::string(buffer, length) == "render\n--picture\n");
}
