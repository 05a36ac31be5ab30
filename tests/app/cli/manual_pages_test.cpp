// The manual's images and commands, held against the program.
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <regex>

#include "app/lesson/manual_pages.h"
#include "tests/app/cli/program_folder.h"
#include "tests/app/figure/opened_pictures.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

const fs::path pages = fs::path(SOURCE_FOLDER) / "assets" / "manual";

}  // namespace

TEST_CASE("the manual's images are what the program draws from them", "[accuracy]") {
  const Folder folder;
  for (const auto& picture : fs::directory_iterator(pages / "pictures")) {
    const std::string name = picture.path().stem().string();
    INFO(name);
    const fs::path again = folder / "again.png";
    const Run run = folder.run("render " + picture.path().string() + " --out " + again.string());
    CHECK(run.error == "");
    REQUIRE(run.status == 0);
    const FigurePixels before = readPng(picture.path()), now = readPng(again);
    REQUIRE(now.width == static_cast<int>(manualPicture.x));
    REQUIRE(now.height == static_cast<int>(manualPicture.y));
    const bool hasSeconds = name == "token-mixing" || name == "with-projections" || name == "kv-cache";
    // Without AVX-512 sums are rounded differently, and with them the last digits of an exploding gradient.
    CHECK(differingShare(before, now) < (hasSeconds ? 0.1 : 0.01));
  }
}

TEST_CASE("every command in the manual has the options that it is shown with", "[sources]") {
  const Folder folder;
  std::map<std::string, std::string> help;
  const std::regex command("^glassformer ([a-z][a-z-]*( check)?)"), option("--[a-z-]+"),
      quoted("\"[^\"]*\"|'[^']*'");
  int commands = 0;
  const Manual manual(pages);
  for (const ManualPage& page : manual.pages())
    for (const Paragraph& p : page.paragraphs) {
      if (p.kind != Paragraph::Kind::Code) continue;
      std::istringstream lines(p.words());
      for (std::string line; std::getline(lines, line);) {
        line = std::regex_replace(line, quoted, "x");
        std::smatch found;
        if (!std::regex_search(line, found, command)) continue;
        INFO(line);
        const std::string name = found[1];
        if (!help.contains(name)) help[name] = folder.run(name + " --help").out;
        REQUIRE(help[name].find(name) != std::string::npos);
        for (std::sregex_iterator it(line.begin(), line.end(), option), end; it != end; ++it) {
          INFO(it->str());
          CHECK(help[name].find(it->str()) != std::string::npos);
        }
        ++commands;
      }
    }
  CHECK(commands > 30);
}
