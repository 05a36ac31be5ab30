#include "app/cli/former_names.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <map>

#include "tests/app/cli/program_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

std::vector<std::string> renamed(std::vector<std::string> arguments) {
  return withNamesOfToday(std::move(arguments)).arguments;
}

// A name followed by a letter of another one is that other one.
bool hasOption(const std::string& help, const std::string& option) {
  for (std::size_t at = help.find("--" + option); at != std::string::npos;
       at = help.find("--" + option, at + 1)) {
    const char next = help[at + 2 + option.size()];
    if (next == ' ' || next == '\n' || next == ',') return true;
  }
  return false;
}

}  // namespace

TEST_CASE("every former name of a command or an option leads to one of today, and is listed nowhere") {
  const Folder folder;
  const std::string commands = folder.run("--help").out;
  for (const auto& [former, today] : formerCommands()) {
    INFO(former);
    CHECK(renamed({former, "--json"}) == std::vector<std::string>{today, "--json"});
    CHECK(folder.run(std::string(former) + " --help").out == folder.run(std::string(today) + " --help").out);
    CHECK_THAT(commands, ContainsSubstring("\n  " + std::string(today) + " "));
    CHECK_THAT(commands, !ContainsSubstring("\n  " + std::string(former) + " "));
  }
  std::map<std::string, std::string> helps;
  for (const auto& [command, former, today] : formerOptions()) {
    INFO(command << " " << former);
    for (const std::string name : {"check", "trace", "attribute", "counterfactual", "neurons", "dataset",
                                   "heads", "generate", "tokenize", "models", "render", "train", "explain"}) {
      if (*command ? name != command : name != "explain") continue;
      const std::string old = "--" + std::string(former), now = "--" + std::string(today);
      CHECK(renamed({name, old, "x", old + "=x"}) == std::vector<std::string>{name, now, "x", now + "=x"});
      std::string& help = helps[name];
      if (help.empty()) help = folder.run(name + " --help").out;
      CHECK(hasOption(help, today));
      CHECK_FALSE(hasOption(help, former));
    }
  }
}

TEST_CASE("a former name works as that of today does, and one line names the latter") {
  const Folder folder;
  const auto former = folder.run("lens --text 'The dog' --off L0H1 --off L0H0"),
             today = folder.run("logit-lens --text 'The dog' --ablate L0H1 --ablate L0H0");
  CHECK(former.status == 0);
  CHECK(former.out == today.out);
  CHECK(today.error.empty());
  CHECK(former.error ==
        "glassformer: lens is now called logit-lens\nglassformer: --off is now called --ablate\n");
}

TEST_CASE("ablate asks for a dataset where it has what only that takes, and values are no options") {
  CHECK(renamed({"ablate", "--texts", "3"}).front() == "dataset");
  CHECK(renamed({"ablate", "--text", "a"}).front() == "ablate");
  CHECK(renamed({"generate", "--text", "off"}).back() == "off");
  CHECK(renamed({"train", "letters", "--steps", "3"})[2] == "--steps");
  CHECK(renamed({}).empty());
}
