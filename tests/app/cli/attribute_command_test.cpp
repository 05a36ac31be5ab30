#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/app/cli/program_folder.h"
#include "tests/sanitized.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("attribute says what every token adds to a logit, and what all of it sums to") {
  const Folder folder;
  const auto parsed = [&](const std::string& arguments) {
    const Run run = folder.run("attribute " + arguments + " --json");
    INFO(run.error);
    REQUIRE(run.status == 0);
    return nlohmann::json::parse(run.out);
  };
  const std::string text =
      "--text \"The animal didn't cross the street because it was too tired. What was too "
      "tired? The\" ";
  const auto plain = parsed(text);
  CHECK(plain["target"] == "·animal");
  CHECK(plain["tokens"].size() == 19);
  CHECK(plain["gradients"] <= 128);
  const auto sums = [](const nlohmann::json& json) {
    double sum = 0;
    for (const auto& token : json["tokens"]) sum += token["attribution"].get<double>();
    return std::abs(sum - json["difference"].get<double>()) < 1e-3 &&
           std::abs(json["error"].get<double>()) < 1e-3;
  };
  CHECK(sums(plain));
  const auto against = parsed(text + "--contrast ' street' --baseline mean --max-steps 512");
  CHECK(against["against"] == "·street");
  const auto ofStreet = parsed(text + "--target ' street'");
  const auto atText = [](const nlohmann::json& json) { return json["at_text"].get<double>(); };
  CHECK(std::abs(atText(against) - (atText(plain) - atText(ofStreet))) < 1e-3);
  CHECK(sums(against));
  if (!isSanitized) {  // it takes that many steps to come so near
    const auto translated =
        parsed("--model translate --source 'The dog sleeps.' --text 'Der' --max-steps 4096");
    CHECK(translated["tokens"][0]["stream"] == "source");
    CHECK(sums(translated));
  }
  const Run csv = folder.run("attribute " + text + "--csv --token 3 --target ' cat' --baseline ' dog'");
  CHECK(tableOf(csv.out).starts_with("stream,position,id,token,attribution\r\n"));
  CHECK(std::ranges::count(tableOf(csv.out), '\n') == 20);
  CHECK_THAT(csv.out, ContainsSubstring(",·tired,0\r\n"));  // behind the prediction
  CHECK_THAT(folder.run("attribute " + text).out, ContainsSubstring("the tokens sum to"));
  for (const char* refused : {"--text a --target nothinglikethis", "--text The --token 7",
                              "--source a --text b", "--text The --target ' dog' --contrast ' dog'"}) {
    const Run failed = folder.run(std::string("attribute ") + refused);
    INFO(refused << ": " << failed.error);
    CHECK(failed.status == 1);
    CHECK_THAT(failed.error, ContainsSubstring("glassformer: "));
  }
  CHECK(folder.run("attribute --text a --json --csv").status == 2);
  const Run empty = folder.run("attribute --text ''");  // not about the text that the window starts with
  CHECK(empty.status == 2);
  CHECK_THAT(empty.error, ContainsSubstring("--text") && ContainsSubstring("the text is empty"));
}
