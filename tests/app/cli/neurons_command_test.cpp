#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/app/cli/program_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

TEST_CASE("neurons says where they are active, what one reads and writes, and where it is strongest") {
  const Folder folder;
  const auto parsed = [&](const std::string& arguments) {
    const Run run = folder.run("neurons " + arguments + " --json");
    INFO(run.error);
    REQUIRE(run.status == 0);
    return nlohmann::json::parse(run.out);
  };
  const auto all = parsed("--model sort --text 'dacb>' --block 1 --top 4");
  REQUIRE(all["neurons"].size() == 4);
  const auto strength = [&](std::size_t i) {
    return std::abs(all["neurons"][i]["activation"].get<double>());
  };
  CHECK(strength(0) >= strength(1));
  CHECK(strength(2) >= strength(3));
  const std::string strongest = std::to_string(all["neurons"][0]["neuron"].get<int>());
  const auto one = parsed("--model sort --text 'dacb>' --block 1 --texts 50 --top 3 --neuron " + strongest);
  CHECK(one["neuron"] == "L1N" + strongest);
  CHECK(one["activations"].size() == 5);
  const int at = all["neurons"][0]["position"];
  CHECK(one["activations"][static_cast<std::size_t>(at)]["activation"] == all["neurons"][0]["activation"]);
  CHECK(one["examples"].size() == 8);
  CHECK(one["texts"] == 50);
  for (const char* list : {"reads", "writes"}) {
    REQUIRE(one[list]["most"].size() == 3);
    CHECK(one[list]["most"][0]["value"].get<double>() >= one[list]["most"][1]["value"].get<double>());
    CHECK(one[list]["least"][0]["value"].get<double>() <= one[list]["most"][2]["value"].get<double>());
  }
  const fs::path file = folder / "lines.txt";
  std::ofstream(file) << "Anna sings.\tAnna singt.\nThe dog sleeps.\tDer Hund\n";
  const auto encoder =
      parsed("--model translate --source 'The dog sleeps.' --encoder --neuron 3 --file " + file.string());
  CHECK(encoder["neuron"] == "enc.L0N3");
  CHECK_FALSE(encoder.contains("writes"));
  CHECK(encoder["examples"].size() == 2);
  // CSV has what JSON has: of all neurons a row each, of one its lists, one behind the other.
  const Run table = folder.run("neurons --text 'The dog' --top 2 --csv");
  CHECK_THAT(tableOf(table.out), Catch::Matchers::StartsWith("neuron,activation,position,token\r\n"));
  CHECK(std::ranges::count(tableOf(table.out), '\n') == 3);
  const Run lists = folder.run("neurons --text 'The dog' --neuron 3 --texts 20 --top 2 --csv");
  CHECK_THAT(tableOf(lists.out),
             Catch::Matchers::StartsWith("list,position,token,activation,id,value,text\r\n"
                                         "activation,0,"));
  CHECK(std::ranges::count(lists.out, '\n') >= 1 + 2 + 8);
  for (const char* list : {"\nreads,,", "\nwrites,,", "\nexample,"})
    CHECK_THAT(lists.out, ContainsSubstring(list));
  CHECK_THAT(folder.run("neurons --text 'The dog' --top 2").out, ContainsSubstring("at "));
  CHECK_THAT(folder.run("neurons --model sort --text 'dacb>' --neuron 1 --texts 5").out,
             ContainsSubstring("strongest in 5 texts"));
  for (const char* refused :
       {"--model induction --text ab", "--text The --neuron 512", "--text The --block 4",
        "--text The --encoder", "--text The --neuron 1 --file /nowhere"}) {
    const Run failed = folder.run(std::string("neurons ") + refused);
    INFO(refused << ": " << failed.error);
    CHECK(failed.status == 1);
    CHECK_THAT(failed.error, ContainsSubstring("glassformer: "));
  }
}
