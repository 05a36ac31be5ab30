#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "app/document/decoding_numbers.h"
#include "core/decode/sampling.h"
#include "core/io/model_directory.h"
#include "core/model/initialization.h"
#include "core/text/tokenizer_files.h"
#include "tests/app/cli/program_folder.h"
#include "tests/app/engine/latest_for.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

TEST_CASE("generate continues a text by every strategy, and says everything as JSON") {
  const Folder folder;
  const Run greedy =
      folder.run("generate --text \"The dog couldn't climb the hill because it was too\" --max-new-tokens 6");
  CHECK(greedy.status == 0);
  CHECK(greedy.out.starts_with("The dog couldn't climb the hill because it was too "));
  const std::string sampling =
      "generate --text 'Once there was' --strategy sampling --top-k 20 --max-new-tokens 12 --seed ";
  CHECK(folder.run(sampling + "4").out == folder.run(sampling + "4").out);
  const Run beam =
      folder.run("generate --text 'The dog' --strategy beam --num-beams 2 --max-new-tokens 3 --json");
  REQUIRE(beam.status == 0);
  const auto json = nlohmann::json::parse(beam.out);
  CHECK(json["tokens"].size() == 3);
  CHECK(json["tree"]["nodes"].size() > 6);
  CHECK(json["tree"]["nodes"][1]["log_probability"].get<double>() < 0);
}

TEST_CASE("with a seed generate draws what the window draws") {
  const Folder folder;
  Workspace workspace = initialWorkspace();
  workspace.text = "Once there was";
  workspace.decoding.strategy = DecodingStrategy::Sampling, workspace.decoding.depth = 12;
  workspace.decoding.stages = {{"temperature", 1.4f}, {"top-p", 0.9f}};
  std::set<std::string> texts;
  for (const std::uint64_t seed : {1, 2, 77}) {
    workspace.decoding.seed = seed;
    const auto snapshot = latestFor(workspace);
    const std::string text = workspace.text + snapshot->model->bytesOf(snapshot->decoded->continuation);
    CHECK(folder
              .run("generate --text 'Once there was' --strategy sampling --temperature 1.4 --top-p 0.9 "
                   "--max-new-tokens 12 --seed " +
                   std::to_string(seed))
              .out == text + "\n");
    texts.insert(text);
  }
  CHECK(texts.size() == 3);
}

TEST_CASE("generate tells several continuations, with their probabilities, the best or most frequent first") {
  const Folder folder;
  const std::string start = "generate --text 'Once there was' --max-new-tokens 6 ";
  const std::string beam = start + "--strategy beam --num-beams 6 --num-return-sequences 4 ";
  const auto json = nlohmann::json::parse(folder.run(beam + "--json").out);
  REQUIRE(json["branches"].size() == 4);
  CHECK(json["branches"][0]["continuation"] == json["continuation"]);
  for (int i = 1; i < 4; ++i)
    CHECK(json["branches"][i]["score"].get<double>() <= json["branches"][i - 1]["score"].get<double>());
  CHECK(std::ranges::count(folder.run(beam).out, '\n') == 4);
  CHECK(folder.run(beam + "--sibling-penalty 50").out != folder.run(beam).out);
  CHECK(folder.run(beam + "--early-stopping --length-penalty 1").status == 0);
  const auto drawn = nlohmann::json::parse(
      folder.run(start + "--strategy sampling --top-k 3 --num-return-sequences 50 --seed 9 --json").out);
  int samples = 0;
  for (const auto& branch : drawn["branches"]) {
    samples += branch["count"].get<int>();
    const std::string alone =
        folder.run(start + "--strategy sampling --top-k 3 --seed " + branch["seed"].dump()).out;
    CHECK(alone == "Once there was" + branch["continuation"].get<std::string>() + "\n");
    if (samples > 30) break;
  }
  CHECK(samples > 30);
  CHECK_THAT(folder.run(start + "--num-return-sequences 3").error,
             ContainsSubstring("greedy decoding has one"));
  CHECK_THAT(folder.run(beam + "--stop .").error, ContainsSubstring("--stop"));
}

TEST_CASE("generate searches in groups that differ, and says of each node which group it is in") {
  const Folder folder;
  const std::string beam =
      "generate --text 'Once there was' --max-new-tokens 3 --strategy beam --num-beams 4 --json ";
  const auto json =
      nlohmann::json::parse(folder.run(beam + "--num-beam-groups 2 --diversity-penalty 20").out);
  std::vector<int> first, second;  // tokens of the first step
  for (const auto& node : json["tree"]["nodes"])
    if (node["depth"] == 1 && node["state"] == "kept")
      (node["group"] == 0 ? first : second).push_back(node["token"]);
  REQUIRE(first.size() == 2);
  REQUIRE(second.size() == 2);
  for (const int token : second) CHECK(std::ranges::find(first, token) == first.end());
  const auto plain = nlohmann::json::parse(folder.run(beam).out);
  CHECK(nlohmann::json::parse(folder.run(beam + "--num-beam-groups 1 --diversity-penalty 20").out) == plain);
}

TEST_CASE("generate says at which token a constraint leads no further, and what it wants there") {
  const Folder folder;
  const std::string start = "generate --text 'Once there was' --max-new-tokens 12 --regex 'a (dog|cat)!' ";
  for (const char* strategy : {"--strategy greedy ", "--strategy beam ", "--strategy sampling "}) {
    const Run run = folder.run(start + strategy + "--ban '!' --json");
    CHECK(run.status != 0);
    CHECK_THAT(run.error, ContainsSubstring("no token "));
    CHECK_THAT(run.error, ContainsSubstring("the constraint wants !"));
    const auto json = nlohmann::json::parse(run.out);
    CHECK(json["matches"] == false);
    CHECK(json["dead_end"]["step"] == json["tokens"].size() + 1);
    CHECK(json["dead_end"]["wanted"] == "!");
    CHECK(json["dead_end"]["banned"] == 1);
    CHECK(folder.run(start + strategy).status == 0);
  }
}

TEST_CASE("generate lets a smaller model propose, and says what became of it") {
  const Folder folder;
  const std::string start = "generate --text 'The dog went to' --max-new-tokens 14 ";
  CHECK(folder.run(start + "--draft-model draft").out == folder.run(start).out);
  const auto json = nlohmann::json::parse(
      folder.run(start + "--draft-model draft --strategy sampling --seed 2 --json").out);
  std::vector<int> added;
  for (const auto& round : json["rounds"]) {
    for (const auto& proposal : round["proposals"])
      if (proposal["accepted"]) added.push_back(proposal["id"]);
    if (!round["own"].is_null()) added.push_back(round["own"]["id"]);
  }
  REQUIRE(added.size() == json["tokens"].size());
  for (std::size_t i = 0; i < added.size(); ++i) CHECK(json["tokens"][i]["id"] == added[i]);
  CHECK(json["rounds"].size() < added.size());
  CHECK_THAT(folder.run(start + "--draft-model induction").error, ContainsSubstring("other tokens"));
  CHECK_THAT(folder.run(start + "--draft-model draft --strategy beam").error,
             ContainsSubstring("--draft-model"));
}

TEST_CASE("what is written behind a text keeps the space in front of its first word") {
  const Folder folder;
  auto fixture =
      nlohmann::json::parse(content(fs::path(SOURCE_FOLDER) / "tests/reference/tokenizers/llama2.json"));
  fixture["file"].update(fixture["changed"]);
  const auto tokenizer = parseTokenizerJson(fixture["file"].dump());
  REQUIRE(tokenizer);
  ModelConfig config;
  config.layers = 1, config.heads = 1, config.width = 8, config.feedForward = 8;
  config.vocabulary = tokenizer->vocabularySize();
  Parameters parameters(parameterSpecs(config));
  initialize(config, parameters, {}, 1);
  REQUIRE(writeModelDirectory(folder / "pieces", config, parameters, *tokenizer, ""));
  int spaced = 0;
  for (int seed = 1; seed <= 8; ++seed) {
    const std::string asked = "generate --text 'The animal' --max-new-tokens 3 --strategy sampling --seed " +
                              std::to_string(seed) + " --model " + (folder / "pieces").string();
    const auto json = nlohmann::json::parse(folder.run(asked + " --json").out);
    std::string behind;
    for (const auto& token : json["tokens"])
      if (const int id = token["id"]; id != tokenizer->endOfText()) behind += tokenizer->tokenBytes(id);
    CHECK(folder.run(asked).out == "The animal" + behind + "\n");
    spaced += behind.starts_with(' ');
  }
  CHECK(spaced > 0);
}

TEST_CASE(
    "generate says what every stage of sampling left, in the order that is asked for, and ends where it "
    "should") {
  const Folder folder;
  const std::string start =
      "generate --text 'Once there was' --strategy sampling --temperature 1.5 --top-k 5 "
      "--repetition-penalty 1.2 --presence-penalty 0.5 --seed 3 --max-new-tokens 8 ";
  const Run run = folder.run(start + "--order top-k,temperature --explain");
  REQUIRE(run.status == 0);
  const auto json = nlohmann::json::parse(run.out);
  REQUIRE(json["steps"].size() == json["tokens"].size());
  CHECK((json["question"]["model"] == "stories" && json["question"]["text"] == "Once there was"));
  for (const auto& step : json["steps"]) {
    const auto& stages = step["stages"];
    REQUIRE(stages.size() == samplingStages().size() + 1);
    CHECK(stages[0]["stage"] == "model");
    CHECK(stages[1]["stage"] == "top-k");
    CHECK(stages[1]["number"] == 5);
    CHECK(stages[1]["left"] == 5);
    CHECK(stages[2]["stage"] == "temperature");
    // The number that was drawn lies where the token does among what the last stage left.
    double reached = 0;
    for (const auto& candidate : stages.back()["likeliest"]) {
      const double u = step["u"].get<double>();
      if (candidate["id"] == step["id"]) CHECK((reached <= u + 1e-5));
      reached += candidate["probability"].get<double>();
      if (candidate["id"] == step["id"]) CHECK((u <= reached + 1e-5));
    }
    CHECK(std::abs(reached - 1) < 1e-5);
  }
  // The same seed writes the same without an explanation.
  CHECK(folder.run(start + "--order top-k,temperature").out ==
        "Once there was" + json["continuation"].get<std::string>() + "\n");
  const std::string story = folder.run("generate --text 'The dog' --max-new-tokens 60 --stop .").out;
  CHECK(story.find('.') == story.size() - 2);  // before the line's end
  CHECK_THAT(folder.run("generate --text a --explain").error, ContainsSubstring("--strategy sampling"));
  CHECK_THAT(folder.run("generate --text a --strategy beam --stop .").error, ContainsSubstring("--stop"));
  CHECK(folder.run("generate --text a --order top-q").status == 2);
}

TEST_CASE("generate's help says of every number of decoding what it is") {
  const Folder folder;
  const std::string help = folder.run("generate --help").out;
  for (const DecodingNumber& number : decodingNumbers()) {
    CHECK_THAT(help, ContainsSubstring("--" + std::string(number.option) + " "));
    CHECK_THAT(help, ContainsSubstring(std::string(number.meaning.substr(1))));
  }
}
