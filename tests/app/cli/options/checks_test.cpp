#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tests/app/cli/program_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

TEST_CASE("how much passes may take is said with a unit, and changes no bit") {
  const Folder folder;
  const std::string why = "explain 'blocks.2.attn.hook_pattern[0, 9, 3]' --depth 3 --json";
  const Run usual = folder.run(why);
  REQUIRE(usual.status == 0);
  for (const char* amount : {"100MB", "'1.5 GB'", "64GB"})
    CHECK(folder.run(why + " --memory " + amount).out == usual.out);
  for (const char* amount : {"4", "4gb", "GB", "-1GB", "nanGB", "1MB", "1e9GB", "'4GB '"}) {
    const Run run = folder.run(why + " --memory " + amount);
    INFO(amount << ": " << run.error);
    CHECK(run.status == 2);
    CHECK(isPlainLine(run.error));
    CHECK_THAT(run.error, ContainsSubstring("--memory") &&
                              ContainsSubstring("is not an amount from 100 MB to 1000 GB, such as 4GB"));
  }
}

TEST_CASE("every command that computes a lesson is told how much passes may take") {
  const Folder folder;
  for (const char* command : {"lesson check", "slides --out a.pdf", "handout --out a.pdf"}) {
    const std::string asked = command + std::string(" 05_copy.md --memory ");  // there is no such lesson
    const Run refused = folder.run(asked + "4"), known = folder.run(asked + "4GB");
    INFO(command << ": " << refused.error << known.error);
    CHECK(refused.status == 2);
    CHECK_THAT(refused.error, ContainsSubstring("--memory"));
    CHECK(known.status == 1);
    CHECK_THAT(known.out + known.error, ContainsSubstring("05_copy.md"));
  }
}

TEST_CASE("numbers that are none, or beyond what they can be, are refused in one short line") {
  const Folder folder;
  for (const std::string option :
       {"temperature nan", "temperature inf", "temperature 0", "temperature -1", "temperature 1e999",
        "top-p nan", "top-p 1.5", "length-penalty nan", "length-penalty inf", "max-new-tokens 0",
        "max-new-tokens x", "max-new-tokens 99999999999", "top-k -1", "num-beams 0", "seed -1",
        "seed 18446744073709551616"}) {
    const Run run = folder.run("generate --text a --" + option);
    INFO(option << ": " << run.error);
    CHECK(run.status == 2);
    CHECK(isPlainLine(run.error));
    CHECK(run.error.size() < 200);
    CHECK_THAT(run.error, ContainsSubstring("--" + option.substr(0, option.find(' '))));
  }
  CHECK_THAT(folder.run("generate --text a --top-p 2").error,
             ContainsSubstring("is not a number from 0 to 1"));
  CHECK_THAT(folder.run("train copy --seed 1e30").error,
             ContainsSubstring("\"1e30\" is not a whole number from 0 to 18446744073709551615"));
  for (const std::string& list :
       {std::string("''"), std::string("1,,2"), std::string("1,2,"), std::string(",1"), std::string("1,x"),
        std::string("'1 2'"), std::string("99999999999")}) {
    const Run run = folder.run("trace --out " + (folder / "x").string() + " --token-ids " + list);
    INFO(list << ": " << run.error);
    CHECK(run.status == 1);
    CHECK(isPlainLine(run.error));
    CHECK_THAT(run.error, ContainsSubstring("has no id at index"));
    CHECK_FALSE(fs::exists(folder / "x"));
  }
  for (const char* size : {"99999999999x9", "640x480x2", "640", "-640x480", "1x1"})
    CHECK(folder.run(std::string("--screenshot x.png --size ") + size).status == 1);
}
