#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/app/cli/program_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {
nlohmann::json told(const Folder& folder, const std::string& command) {
  const Run run = folder.run(command + " --json");
  INFO(run.error);
  REQUIRE(run.status == 0);
  return nlohmann::json::parse(run.out);
}
}  // namespace

TEST_CASE("lens says what every place says, and what each sublayer promotes and suppresses") {
  const Folder folder;
  const auto cells = told(folder, "logit-lens --text 'The dog was'")["cells"];
  REQUIRE(cells.size() == 3 * 9);
  CHECK(cells[0]["place"] == "embed");
  CHECK_FALSE(cells[0].contains("promoted"));
  CHECK(cells[8]["place"] == "3 MLP");
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto& cell = cells[i];
    CHECK(cell["position"] == i / 9);
    if (i % 9 == 0) continue;
    CHECK(cell["promotion"].get<double>() > 0);
    CHECK(cell["suppression"].get<double>() < 0);
    // A token that is the likeliest on both sides of a sublayer moves by no more than what moves most.
    const auto& before = cells[i - 1];
    if (cell["likeliest"] != before["likeliest"]) continue;
    const double moved = cell["probability"].get<double>() - before["probability"].get<double>();
    CHECK(moved <= cell["promotion"].get<double>() + 1e-6);
    CHECK(moved >= cell["suppression"].get<double>() - 1e-6);
  }
  // Behind the last sublayer it is what the model says, and that opens as every other number.
  const auto& said = cells[2 * 9 + 8];
  const auto generated = nlohmann::json::parse(
      folder.run("explain 'lens.grid_probability[8, 2]' --json --text 'The dog was'").out);
  CHECK(std::abs(generated["value"].get<double>() - said["probability"].get<double>()) < 1e-6);
  CHECK(std::abs(generated["from_terms"].get<double>() - said["probability"].get<double>()) < 1e-5);
}

TEST_CASE("lens prints one token alone, as CSV, of changed models, and refuses what is not there") {
  const Folder folder;
  const Run csv = folder.run("logit-lens --text 'The dog was' --token 1");
  REQUIRE(csv.status == 0);
  CHECK(std::ranges::count(tableOf(csv.out), '\n') == 1 + 9);
  CHECK(tableOf(csv.out).starts_with(
      "position,token,place,likeliest,probability,promoted,promotion,suppressed,suppression\r\n"));
  CHECK_THAT(csv.out, ContainsSubstring("\n1,·dog,embed,") && ContainsSubstring(",,,,\r\n1,·dog,0 attn,"));
  CHECK(folder.run("logit-lens --text 'The dog was' --token 1 --ablate L0H1").out != csv.out);
  CHECK(told(folder, "logit-lens --model translate")["cells"].size() > 9);
  CHECK(told(folder, "logit-lens --model fill")["cells"][0].contains("likeliest"));
  CHECK_THAT(folder.run("logit-lens --text 'The dog was' --token 3").error,
             ContainsSubstring("go from 0 to 2"));
}

TEST_CASE("what is printed as JSON is printed as CSV, too, row by row") {
  const Folder folder;
  struct Case {
    const char *command, *header;
    const char* rows;  // pointer to the rows of the JSON; empty: one for each head of each rule
  };
  for (const Case& c : std::initializer_list<Case>{
           {"ablate --texts 2",
            "part,loss,loss_deviation,loss_here,logit,logit_deviation,logit_here,direct,direct_deviation,"
            "direct_here",
            "/parts"},
           {"dataset --texts 2 --measure direct", "cell,mean,deviation,here,texts", "/cells"},
           {"dataset --texts 2 --measure edges --top 3", "from,to,mean,deviation,here,often", "/edges"},
           {"attribute", "stream,position,id,token,attribution", "/tokens"},
           {"heads --text 'The dog was too tired.'", "hypothesis,head,mean,deviation,texts", ""},
           {"heads --text 'The dog was too tired.' --rule previous",
            "hypothesis,head,agreement,deviation,coverage,texts,loss,loss_even,loss_replaced,recovered,"
            "answers_kept",
            ""}}) {
    INFO(c.command);
    const auto json = told(folder, c.command);
    std::size_t rows = 0;
    if (*c.rows)
      rows = json.at(nlohmann::json::json_pointer(c.rows)).size();
    else
      for (const auto& rule : json["hypotheses"]) rows += rule["heads"].size();
    const Run csv = folder.run(std::string(c.command) + " --csv");
    REQUIRE(csv.status == 0);
    CHECK(tableOf(csv.out).starts_with(std::string(c.header) + "\r\n"));
    CHECK(static_cast<std::size_t>(std::ranges::count(tableOf(csv.out), '\n')) == rows + 1);
  }
  const Run why = folder.run("explain 'logits[2, 5]' --csv --terms 3 --depth 2 --text 'The dog was'");
  CHECK(tableOf(why.out).starts_with(
      "of,value,coefficient,factor,factor_value,other_factor,other_factor_value\r\n"));
  CHECK_THAT(why.out, ContainsSubstring("\"logits[2, 5]\",") && ContainsSubstring(",125 others,") &&
                          ContainsSubstring("\r\n\"ln_final.hook_normalized[2, "));
  // One text has no spread.
  CHECK(folder.run("heads --text 'The dog was too tired.'").out.find("+-") == std::string::npos);
  CHECK_THAT(folder.run("heads --texts 2").out, ContainsSubstring("+-"));
}
