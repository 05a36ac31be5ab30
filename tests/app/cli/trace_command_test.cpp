#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/cli/trace_command.h"
#include "app/engine/open_model.h"
#include "core/io/model_directory.h"
#include "core/io/safetensors.h"
#include "tests/app/cli/program_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

TEST_CASE("trace writes every point under its name, or those that fit a pattern") {
  const Folder folder;
  const fs::path all = folder / "all.safetensors", some = folder / "some.safetensors";
  REQUIRE(folder.run("trace --text 'The dog sang.' --out " + all.string()).status == 0);
  const auto stored = StoredTensors::open(all);
  REQUIRE(stored);
  CHECK(stored->tensors().size() == 2 + 4 * 17 + 3);
  CHECK(stored->find("blocks.2.attn.hook_pattern")->shape == std::vector<std::int64_t>{4, 4, 4});
  REQUIRE(
      folder.run("trace --token-ids 1,2,3 --only 'blocks.*.hook_resid_post' --out " + some.string()).status ==
      0);
  CHECK(StoredTensors::open(some)->tensors().size() == 4);
  CHECK(fitsPattern("blocks.1.attn.hook_q", "blocks.*.hook_?") == false);
  CHECK(fitsPattern("blocks.1.attn.hook_q", "*hook_q"));
  CHECK(fitsPattern("", "**"));
  CHECK(fitsPattern("aab", "*ab"));
  CHECK_FALSE(fitsPattern("", "a"));
  std::string stars;
  for (int i = 0; i < 30; ++i) stars += "*a";
  CHECK_FALSE(fitsPattern(std::string(60, 'a'), stars + "b"));  // at once
}

TEST_CASE("where the tokenizer puts a sign before every text, texts are read behind it, and may be empty") {
  const Folder folder;
  const fs::path model = folder / "signed";
  fs::copy(fs::path(SOURCE_FOLDER) / "tests/reference/formats/llama", model, fs::copy_options::recursive);
  const auto json = [&](const std::string& text) {
    const fs::path file = folder / "trace.safetensors";
    REQUIRE(folder.run("trace --model " + model.string() + " --text \"" + text + "\" --out " + file.string())
                .status == 0);
    return StoredTensors::open(file)->metadata().at("tokens");
  };
  const std::string without = json("the cat");
  CHECK(folder.run("generate --max-new-tokens 1 --text \"\" --model " + model.string()).status == 1);
  nlohmann::json tokenizer = nlohmann::json::parse(content(model / "tokenizer.json"));
  tokenizer["post_processor"] = nlohmann::json::parse(
      R"({"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<|endoftext|>", "type_id": 0}},
          {"Sequence": {"id": "A", "type_id": 0}}]})");
  std::ofstream(model / "tokenizer.json") << tokenizer.dump();
  CHECK(json("the cat") == "257," + without);
  CHECK(json("") == "257");
  CHECK(folder.run("generate --max-new-tokens 1 --text \"\" --model " + model.string()).status == 0);
}

TEST_CASE(
    "a source is read between the tokenizer's signs, and what is written begins with the token of the "
    "config") {
  const Folder folder;
  for (const auto& [name, start, first, last] :
       {std::tuple("t5", -1, "0", 1), std::tuple("bart", 0, "2", 2),
        std::tuple("bart_distilled", 0, "2,0", 2), std::tuple("marian", -1, "279", 0)}) {
    INFO(name);
    const fs::path model = fs::path(SOURCE_FOLDER) / "tests/reference/formats" / name,
                   file = folder / "trace.safetensors";
    const std::string command =
        "trace --model " + model.string() + " --source \"the dog\" --text \"\" --out " + file.string();
    REQUIRE(folder.run(command).status == 0);
    auto directory = readModelDirectory(model);
    REQUIRE(directory);
    std::vector<int> source = directory->tokenizer->ofSources().encodeIds("the dog");
    if (start >= 0) source.insert(source.begin(), start);
    source.push_back(last);
    std::string listed;
    for (const int id : source) listed += (listed.empty() ? "" : ",") + std::to_string(id);
    const auto stored = StoredTensors::open(file);
    CHECK(stored->metadata().at("source") == listed);
    const auto question = nlohmann::json::parse(stored->metadata().at("question"));
    CHECK((question["model"] == name && question["source"] == "the dog" && question.contains("weights")));
    CHECK(stored->metadata().at("tokens") == first);
    // In the window, too.
    const ModelConfig config = directory->config;
    const OpenModel open = openModel(name, LoadedModel{.name = name,
                                                       .transformer = std::make_shared<const Transformer>(
                                                           config, std::move(directory->parameters)),
                                                       .tokenizer = directory->tokenizer});
    const ShownPass pass = open.encode(config, {"", "the dog"}, std::nullopt);
    CHECK(tokensRead(config, pass.sourceTokens) == source);
    CHECK(pass.sourceTokens.back().begin == 7);
    CHECK(open.encode(config, {"", ""}, std::nullopt).sourceTokens.empty());
    std::vector<int> begun = leadingSpecialTokens(*directory->tokenizer, config);
    CHECK(static_cast<int>(begun.size()) == signsAround(*directory->tokenizer, config).before);
    for (const int id : directory->tokenizer->encodeIds("a")) begun.push_back(id);
    const ShownPass text = open.encode(config, {"a", "the dog"}, std::nullopt);
    CHECK(tokensRead(config, text.tokens) == begun);
    CHECK(text.tokens.front().label == directory->tokenizer->tokenLabel(text.tokens.front().id));
  }
}
