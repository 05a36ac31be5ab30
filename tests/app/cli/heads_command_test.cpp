#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/app/cli/program_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

TEST_CASE("heads finds the heads that the cards of induction and stories name, with their scores",
          "[accuracy]") {
  const Folder folder;
  const auto fits = [&](const std::string& arguments, const char* id) {
    const auto json = nlohmann::json::parse(folder.run("heads --json " + arguments).out);
    for (const auto& rule : json["hypotheses"])
      if (rule["id"] == id) return rule["heads"];
    return nlohmann::json();
  };
  const std::string induction = content(SOURCE_FOLDER "/assets/models/induction/README.md"),
                    stories = content(SOURCE_FOLDER "/assets/models/stories/README.md");
  const auto named = [](const std::string& card, const std::string& pattern) {
    std::smatch found;
    REQUIRE(std::regex_search(card, found, std::regex(pattern)));
    return "L" + found[1].str() + "H" + found[2].str();
  };
  const auto previousToken = fits("--model induction", "previous"),
             inductive = fits("--model induction", "induction");
  CHECK(previousToken[0]["head"] == named(induction, "previous-token score, layer (\\d) head (\\d)"));
  CHECK(inductive[0]["head"] == named(induction, "induction score, layer (\\d) head (\\d)"));
  const std::regex row("\\| layer (\\d) head (\\d) \\| ([\\d.]+) \\| ([\\d.]+) \\|");
  int rows = 0;
  for (std::sregex_iterator it(induction.begin(), induction.end(), row), none; it != none; ++it, ++rows) {
    const std::string head = "L" + (*it)[1].str() + "H" + (*it)[2].str();
    const auto holds = [&](const nlohmann::json& heads, const std::string& score) {
      for (const auto& fit : heads)
        if (fit["head"] == head)  // the card's score is the mean of 100 other texts
          CHECK_THAT(fit["mean"].get<double>(),
                     Catch::Matchers::WithinAbs(std::stod(score), 0.01 + fit["deviation"].get<double>() / 4));
    };
    holds(previousToken, (*it)[3].str());
    holds(inductive, (*it)[4].str());
  }
  CHECK(rows == 8);
  CHECK(fits("--repeated-random", "previous")[0]["head"] ==
        named(stories, "layer (\\d) head (\\d) \\| attends to the previous token"));
  CHECK(fits("--repeated-random", "induction")[0]["head"] ==
        named(stories, "layer (\\d) head (\\d) \\| induction"));
}

TEST_CASE("heads holds a hypothesis of one's own against every head, and puts it in the best heads' place") {
  const Folder folder;
  const Run run = folder.run(
      "heads --model induction --repeated-random --texts 40 --top 2 --json --rule previous "
      "--rule first");
  REQUIRE(run.status == 0);
  const auto json = nlohmann::json::parse(run.out);
  REQUIRE(json["hypotheses"].size() == 2);
  const auto& named = json["hypotheses"][0];
  CHECK(named["heads"] != json["hypotheses"][1]["heads"]);
  CHECK(named["heads"].size() == 8);
  const auto& best = named["heads"][0];
  CHECK(best["head"] == "L0H1");  // as the card says
  CHECK(best["agreement"] > 0.7);
  const double clean = best["loss"]["clean"], even = best["loss"]["ablated"], so = best["loss"]["replaced"];
  CHECK_THAT(best["loss"]["recovered"].get<double>(),
             Catch::Matchers::WithinAbs((even - so) / (even - clean), 1e-9));
  CHECK(best["loss"]["recovered"] > 0.95);
  CHECK(best["loss"]["answersKept"] > best["loss"]["answersKeptAblated"]);
  CHECK_FALSE(named["heads"][2].contains("loss"));  // of the best two
  CHECK(named["counterexamples"].size() == 2);
  CHECK(named["counterexamples"][0]["agreement"] <= named["counterexamples"][1]["agreement"]);
  for (const auto& each : named["counterexamples"]) {
    CHECK(each["looksAt"] != each["hypothesis"]);  // else it were none
    const std::string text = each["text"], query = each["query"];
    // Behind the start sign, which is one token; capital where the text has it so.
    const std::size_t start = text.find('>') + 1, letter = each["position"].get<std::size_t>() - 1;
    CHECK(text.substr(start + letter, 1) == query);
  }
  const Run wrong = folder.run("heads --rule 'key = foo'");
  CHECK(wrong.status == 1);
  CHECK_THAT(wrong.error,
             ContainsSubstring("“key = foo” is not an attention rule") && ContainsSubstring("induction"));
  CHECK(isPlainLine(wrong.error));
}

TEST_CASE("heads says of one head how everything that has a name fits it, and what that recovers") {
  const Folder folder;
  const Run run = folder.run("heads --model induction --texts 6 --head L1H2 --top 2 --json");
  REQUIRE(run.status == 0);
  const auto json = nlohmann::json::parse(run.out);
  REQUIRE(json["hypotheses"].size() == 7);  // the stock, and "any"
  for (const auto& rule : json["hypotheses"]) {
    if (rule["hypothesis"] == "subject") {  // letters have none
      CHECK(rule["heads"].empty());
      continue;
    }
    REQUIRE(rule["heads"].size() == 1);
    CHECK(rule["heads"][0]["head"] == "L1H2");
    CHECK(rule["heads"][0].contains("loss"));
    const bool isInduction = rule["hypothesis"] == "induction";  // this head's, everywhere
    CHECK(rule["counterexamples"].size() == (isInduction ? 0 : 2));
  }
  CHECK(json["hypotheses"][6]["hypothesis"] == "any");
  CHECK(json["hypotheses"][6]["heads"][0]["loss"]["replaced"] ==
        json["hypotheses"][6]["heads"][0]["loss"]["ablated"]);
  CHECK(json["hypotheses"][1]["hypothesis"] == "induction");  // as the card says of it
  CHECK(json["hypotheses"][1]["heads"][0]["agreement"] > 0.9);
  CHECK_THAT(folder.run("heads --model translate --texts 2 --head cross.L1H3").out,
             ContainsSubstring("cross.L1H3"));
  for (const char* wrong : {"--head L9H0", "--head previous", "--head cross.L0H0"}) {
    const Run refused = folder.run(std::string("heads ") + wrong);
    CHECK(refused.status == 1);
    CHECK_THAT(refused.error, ContainsSubstring("not a head of this model, such as L0H0"));
  }
}

TEST_CASE("by its weights alone the induction head copies, and reads with its keys the previous-token head") {
  const Folder folder;
  const Run run = folder.run("heads --model induction --texts 20 --head L1H2 --circuits --json");
  REQUIRE(run.status == 0);
  const auto json = nlohmann::json::parse(run.out);
  CHECK(json["copying"] > 0.9);
  CHECK(json["composition"][0]["head"] == "L0H1");  // as the card says, see above
  CHECK(json["composition"][0]["by"] == "keys");
  CHECK(json["composition"][0]["share"] > 1.5 * json["byChance"].get<double>());
  CHECK(json["composition"].size() == 12);  // each of four heads by queries, keys and values
  CHECK(json["raised"][0]["from"] == json["raised"][0]["to"]);
  CHECK(json["singularValuesQK"].size() == 16);
  CHECK_THAT(folder.run("heads --model induction --texts 20 --head L1H2 --circuits").out,
             ContainsSubstring("L1H2's keys read the output of L0H1"));
  const std::string csv = folder.run("heads --model induction --texts 20 --head L1H2 --circuits --csv").out;
  CHECK_THAT(csv, ContainsSubstring("what,from,to,number") && ContainsSubstring("keys,L0H1,L1H2,"));
  CHECK(std::ranges::count(csv, '\n') >=
        1 + static_cast<int>(json["composition"].size() + json["singularValuesQK"].size() +
                             json["singularValuesOV"].size() + json["raised"].size()));
  const Run post = folder.run("heads --model translate --texts 2 --head dec.L1H3 --circuits");
  CHECK(post.status == 0);  // norms come after its sums
  CHECK_THAT(post.out, ContainsSubstring("dec.L0H"));
  const Run across = folder.run("heads --model translate --texts 2 --head cross.L1H3 --circuits");
  CHECK(across.status == 0);  // queries of the text, keys and values of the source
  CHECK_THAT(across.out, ContainsSubstring("of sources") && ContainsSubstring(" read the output of enc.L"));
  CHECK(folder.run("heads --circuits").status != 0);  // of no head
}

TEST_CASE("heads reads given texts, of an encoder-decoder with their sources, and lists the best heads") {
  const Folder folder;
  const fs::path file = folder / "texts.txt";
  std::ofstream(file) << "qmbxzqmb\r\n\nabab\n";
  const Run run = folder.run("heads --model induction --top 2 --file " + file.string());
  REQUIRE(run.status == 0);
  CHECK(std::ranges::count(run.out, '\n') == 5 * (1 + 2) + 2);  // letters have no subject
  CHECK_THAT(run.out, ContainsSubstring("in 2 texts"));
  CHECK_THAT(folder.run("heads --model induction --text abc").out,
             ContainsSubstring("the rule names no key"));
  const std::string translate = "heads --model translate ";
  CHECK_THAT(folder.run(translate + "--file " + file.string()).error,
             ContainsSubstring("texts.txt, line 1: has no tab"));
  std::ofstream(file) << "Anna sings.\tAnna singt.\n";
  const std::string together = folder.run(translate + "--json --file " + file.string()).out;
  CHECK_THAT(together, ContainsSubstring("cross.L1H3"));
  const auto headsIn = [](const std::string& json) { return nlohmann::json::parse(json)["hypotheses"]; };
  const std::string one = folder.run(translate + "--json --source 'Anna sings.' --text 'Anna singt.'").out;
  CHECK(headsIn(together) == headsIn(one));
  CHECK_THAT(together, ContainsSubstring("1 line of"));
  for (const char* refused : {"--model worked", "--file /nowhere", "--text a --source b",
                              "--set mixing=recurrence", "--repeated-random --text '<|endoftext|>'"}) {
    const Run failed = folder.run(std::string("heads ") + refused);
    INFO(refused << ": " << failed.error);
    CHECK(failed.status == 1);
    CHECK_THAT(failed.error, ContainsSubstring("glassformer: "));
  }
  CHECK(folder.run("heads --texts 3 --text a").status == 2);
}
