#include "app/engine/model_info.h"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>

#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

ModelInfo infoOf(const std::string& config, const std::string& card) {
  const TemporaryFolder temporary;
  const fs::path folder = temporary / "a model";
  fs::create_directories(folder);
  std::ofstream(folder / "config.json") << config;
  std::ofstream(folder / "README.md") << card;
  std::ofstream(folder / "model.safetensors") << std::string(1234, 'x');
  return modelInfo("mine", folder);
}

constexpr const char* smallConfig =
    R"({"model_type": "gpt2", "n_layer": 2, "n_head": 2, "n_embd": 8, "n_positions": 16, "vocab_size": 32})";

}  // namespace

TEST_CASE("a model's folder says what it is for, what it is made of and what it reached") {
  const ModelInfo info =
      infoOf(smallConfig,
             "# mine\n\nFills `gaps`,\nand *more*, 2 * 3.\n\nOther words.\n\n## Data\n\n| a | b |\n\n"
             "## Measured on 3 texts\n\n| | |\n|---|---|\n| right | 91 % |\n| best | `99 %` |\n\nend\n"
             "| late | 1 |\n");
  REQUIRE(info.config);
  CHECK(info.model == "mine");
  CHECK(info.name == "a model");
  CHECK(info.config->layers == 2);
  CHECK(info.size == 1234);
  CHECK(info.purpose == "Fills gaps, and more, 2 * 3.");
  const std::vector<std::pair<std::string, std::string>> rows{{"right", "91 %"}, {"best", "99 %"}};
  CHECK(info.measured == rows);
}

TEST_CASE("the types of a model's matrices are said, and which of them are widened") {
  const fs::path formats = fs::path(SOURCE_FOLDER) / "tests" / "reference" / "formats";
  CHECK(modelInfo("a", formats / "llama").types == "F32");
  CHECK(modelInfo("a", formats / "qwen3").types == "BF16, computed as F32");
  CHECK(modelInfo("a", formats / "mistral_q8").types == "Q8_0, computed as F32");
  const ModelInfo blocks = modelInfo("a", formats / "qwen2_blocks");
  REQUIRE(blocks.config);
  CHECK(blocks.types.starts_with("Q6_K, "));
  CHECK(blocks.types.ends_with(" and Q2_K, computed as F32"));
  CHECK(infoOf(smallConfig, "").types.empty());  // its weights are damaged
}

TEST_CASE("cards from elsewhere begin with tags, or there is none") {
  const ModelInfo tagged = infoOf(smallConfig, "---\nlanguage: en\n---\n\n# GPT\n![x](y)\nA model.\n");
  CHECK(tagged.purpose == "A model.");
  CHECK(tagged.measured.empty());
  CHECK(infoOf(smallConfig, "---\nlanguage: en").purpose.empty());
  CHECK(infoOf(smallConfig, "").purpose.empty());
}

TEST_CASE("a damaged config is named in place of the facts") {
  const ModelInfo info = infoOf(R"({"model_type": "gpt2", "n_layer": "two"})", "A model.");
  CHECK_FALSE(info.config);
  CHECK(info.error.find("n_layer") != std::string::npos);
  CHECK_FALSE(modelInfo("lost", "/nowhere/at/all").error.empty());
}
