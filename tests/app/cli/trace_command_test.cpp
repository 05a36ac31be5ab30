#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/cli/trace_command.h"
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
      folder.run("trace --tokens 1,2,3 --only 'blocks.*.hook_resid_post' --out " + some.string()).status ==
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
  CHECK(folder.run("generate --tokens 1 --text \"\" --model " + model.string()).status == 1);
  nlohmann::json tokenizer = nlohmann::json::parse(content(model / "tokenizer.json"));
  tokenizer["post_processor"] = nlohmann::json::parse(
      R"({"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<|endoftext|>", "type_id": 0}},
          {"Sequence": {"id": "A", "type_id": 0}}]})");
  std::ofstream(model / "tokenizer.json") << tokenizer.dump();
  CHECK(json("the cat") == "257," + without);
  CHECK(json("") == "257");
  CHECK(folder.run("generate --tokens 1 --text \"\" --model " + model.string()).status == 0);
}
