#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/app/cli/program_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;

TEST_CASE("effects says what each part does over texts, beside one of them, and where it matters most") {
  const Folder folder;
  const std::string file = (folder / "lines.txt").string();
  std::ofstream(file) << "The dog was too tired.\nAnna says that he was old.\n";
  const auto json = nlohmann::json::parse(
      folder.run("dataset --file " + file + " --text 'The dog was too tired.' --json").out);
  CHECK(json["texts"] == 2);
  REQUIRE(json["parts"].size() == 24);  // four heads, their attention and the MLP of four blocks
  const auto of = [&](const std::string& text, const std::string& part, const char* number) {
    std::ofstream(file) << text << "\n";
    const auto alone = nlohmann::json::parse(folder.run("dataset --json --file " + file).out);
    for (const auto& each : alone["parts"])
      if (each["part"] == part) return each[number]["mean"].get<double>();
    return std::nan("");
  };
  const auto& head = json["parts"][12];
  REQUIRE(head["part"] == "head L2H0");
  for (const char* number : {"loss", "logit", "direct"}) {
    const double a = of("The dog was too tired.", "head L2H0", number),
                 b = of("Anna says that he was old.", "head L2H0", number);
    INFO(number);
    CHECK_THAT(head[number]["here"].get<double>(), WithinAbs(a, 1e-4));
    CHECK_THAT(head[number]["mean"].get<double>(), WithinAbs((a + b) / 2, 1e-4));
    CHECK_THAT(head[number]["deviation"].get<double>(), WithinAbs(std::abs(a - b) / std::sqrt(2), 1e-4));
  }
  CHECK(json["examples"].size() == 2);
  CHECK(json["examples"][0]["loss"] >= json["examples"][1]["loss"]);
  CHECK_THAT(folder.run("dataset --texts 3 --component L2H0").out,
             ContainsSubstring("over 3 texts") && ContainsSubstring("the largest effect of head L2H0"));
  const Run wrong = folder.run("dataset --texts 3 --component L9H0");
  CHECK(wrong.status == 1);
  CHECK_THAT(wrong.error, ContainsSubstring("this model has no such component; one is head L0H0"));
  CHECK_THAT(folder.run("dataset --model fill").error, ContainsSubstring("masked language model"));
}

TEST_CASE("dataset says measures and edges over texts as of each of them") {
  const Folder folder;
  const std::string file = (folder / "lines.txt").string();
  const auto of = [&](const std::vector<std::string>& lines, const std::string& options) {
    std::ofstream out(file);
    for (const std::string& line : lines) out << line << "\n";
    out.close();
    return nlohmann::json::parse(folder.run("dataset --json --file " + file + " " + options).out);
  };
  const std::string a = "The dog was too tired.", b = "Anna says that he was old.";
  for (const std::string measure : {"direct", "answer", "divergence"}) {
    INFO(measure);
    const std::string options = "--measure " + measure;
    const auto both = of({a, b}, options + " --text '" + a + "'"), first = of({a}, options),
               second = of({b}, options);
    REQUIRE(both["cells"].size() >= 12);
    const auto& largest = both["cells"][0];
    const auto meanIn = [&](const nlohmann::json& alone) {
      for (const auto& each : alone["cells"])
        if (each["cell"] == largest["cell"]) return each["mean"].get<double>();
      return std::nan("");
    };
    CHECK_THAT(largest["mean"].get<double>(), WithinAbs((meanIn(first) + meanIn(second)) / 2, 1e-5));
    CHECK_THAT(largest["here"].get<double>(), WithinAbs(meanIn(first), 1e-5));
    CHECK(std::abs(largest["mean"].get<double>()) >= std::abs(both["cells"][1]["mean"].get<double>()));
  }
  const auto both = of({"The dog", "Anna says"}, "--measure edges --top 3"),
             first = of({"The dog"}, "--measure edges --top 500"),
             second = of({"Anna says"}, "--measure edges --top 500");
  REQUIRE(both["edges"].size() == 3);
  for (const auto& each : both["edges"]) {
    const auto meanIn = [&](const nlohmann::json& alone) {
      for (const auto& other : alone["edges"])
        if (other["from"] == each["from"] && other["to"] == each["to"]) return other["mean"].get<double>();
      return std::nan("");
    };
    CHECK_THAT(each["mean"].get<double>(), WithinAbs((meanIn(first) + meanIn(second)) / 2, 1e-4));
  }
  // Of edges that all are kept everything is reproduced, of hardly any little.
  const auto kept = of({"The dog was"}, "--measure edges --top 1 --threshold 1e-30 --text 'The dog was'"),
             few = of({"The dog was"}, "--measure edges --top 1 --threshold 50 --text 'The dog was'");
  CHECK_THAT(kept["alone"]["loss"].get<double>(), WithinAbs(0, 1e-3));
  CHECK(kept["alone"]["answers"] == 1);
  CHECK(std::abs(few["alone"]["loss"].get<double>()) > 0.01);
  CHECK_THAT(folder.run("dataset --file " + file + " --measure edges --top 2").out,
             ContainsSubstring("frequency"));
  // One text alone is the one text that there is.
  const Run alone = folder.run("dataset --measure edges --text-only --text 'The dog' --top 3 --json");
  const auto json = nlohmann::json::parse(alone.out);
  REQUIRE(json["edges"].size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(json["edges"][i]["from"] == first["edges"][i]["from"]);
    CHECK_THAT(json["edges"][i]["here"].get<double>(),
               WithinAbs(first["edges"][i]["mean"].get<double>(), 1e-5));
  }
  CHECK(json["alone"].contains("loss"));
  const std::string words = folder.run("dataset --measure edges --text-only --text 'The dog' --top 1").out;
  CHECK_THAT(words, ContainsSubstring("in this text") && !ContainsSubstring("frequency"));
  CHECK_THAT(folder.run("dataset --text-only --text 'The dog'").error, ContainsSubstring("--measure edges"));
  // Of each text's own answer: its logit, its lead over the second, all probabilities there.
  for (const std::string told : {"logit", "difference", "kl"}) {
    INFO(told);
    const std::string edges = "--measure edges --metric " + told;
    const auto many = of({"The dog", "Anna says"}, edges + " --top 2 --text 'Anna says'"),
               one = of({"The dog"}, edges + " --top 500");
    const auto other = nlohmann::json::parse(
        folder.run("dataset --json --text-only --text 'Anna says' " + edges + " --top 500").out);
    CHECK(many["metric"] == told);
    CHECK_THAT(many["threshold"].get<double>(), WithinAbs(told == "kl" ? 0.01 : 0.1, 1e-6));
    CHECK(other["alone"].contains(told));
    for (const auto& each : many["edges"]) {
      const auto sameIn = [&](const nlohmann::json& all) {
        for (const auto& edge : all["edges"])
          if (edge["from"] == each["from"] && edge["to"] == each["to"]) return edge;
        return nlohmann::json();
      };
      const auto here = sameIn(other);
      CHECK_THAT(each["mean"].get<double>(),
                 WithinAbs((sameIn(one)["mean"].get<double>() + here["mean"].get<double>()) / 2, 1e-4));
      CHECK_THAT(each["here"].get<double>(), WithinAbs(here["here"].get<double>(), 1e-4));
      CHECK(here.contains("estimate") == (told != "kl"));
      if (told != "kl")
        CHECK_THAT(here["estimate"].get<double>() - here["here"].get<double>(),
                   WithinAbs(here["error"].get<double>(), 1e-5));
    }
  }
  CHECK_THAT(folder.run("dataset --measure edges --text-only --metric lead --text 'The dog' --top 1").out,
             ContainsSubstring("change in the logit difference") && ContainsSubstring("by the gradient"));
  CHECK_THAT(folder.run("dataset --texts 3 --metric kl").error, ContainsSubstring("--measure edges"));
  CHECK_THAT(folder.run("dataset --texts 3 --measure nothing").error,
             ContainsSubstring("not a measure of single texts: direct, answer"));
}

TEST_CASE("effects patches pairs of lines with one another, and reads questions up to their answers") {
  const Folder folder;
  const std::string file = (folder / "pairs.txt").string(), a = "The dog was too tired. The",
                    b = "The cat was too wide. The";
  const auto leads = [&](const std::string& first, const std::string& second) {
    std::ofstream(file) << first << "\n" << second << "\n";
    return nlohmann::json::parse(
        folder.run("dataset --json --measure patch-heads --text '" + a + "' --file " + file).out);
  };
  const auto pair = leads(a, b), turned = leads(b, a);
  REQUIRE(pair["cells"].size() == 16);  // four heads of four blocks
  CHECK(pair["cells"][0]["texts"] == 2);
  CHECK_THAT(pair["cells"][0]["mean"].get<double>(),  // each is patched from the other one
             WithinAbs(turned["cells"][0]["mean"].get<double>(), 1e-5));
  CHECK(pair["cells"][0]["here"] != pair["cells"][0]["mean"]);
  const Run questions = folder.run("dataset --test-questions --texts 3 --measure another");
  CHECK_THAT(questions.out, ContainsSubstring("top token changes when a component is ablated, over 3 texts"));
  CHECK_THAT(folder.run("dataset --model draft --test-questions --texts 2 --measure another").out,
             ContainsSubstring("over 2 texts"));
  CHECK(folder.run("dataset --test-questions --file " + file).status != 0);
}

TEST_CASE("effects of a model without a part are what all the others do when that is gone") {
  const Folder folder;
  const std::string file = (folder / "lines.txt").string();
  std::ofstream(file) << "The dog was too tired.\n";
  const auto of = [&](const std::string& options) {
    return nlohmann::json::parse(folder.run("dataset --json --file " + file + options).out);
  };
  const auto with = of(" --ablate L0H3"), without = of("");
  CHECK(with["interventions"][0] == "head L0H3 off");
  CHECK(without["interventions"].empty());
  REQUIRE(with["parts"][3]["part"] == "head L0H3");
  CHECK_THAT(with["parts"][3]["loss"]["mean"].get<double>(), WithinAbs(0, 1e-6));
  CHECK(with["parts"][12]["loss"]["mean"] != without["parts"][12]["loss"]["mean"]);
  CHECK_THAT(folder.run("dataset --texts 3 --ablate L9H9").error, ContainsSubstring("the model has no"));
}
