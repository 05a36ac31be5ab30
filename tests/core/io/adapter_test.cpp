#include "core/io/adapter.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tests/core/io/formats/format_fixture.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("an adapter is refused by file and field, and where its base is not there") {
  const TemporaryFolder folder;
  fs::copy(formats / "llama", folder / "llama", fs::copy_options::recursive);
  fs::copy(formats / "llama_lora", folder / "lora", fs::copy_options::recursive);
  const fs::path config = folder / "lora" / "adapter_config.json",
                 weights = folder / "lora" / "adapter_model.safetensors";
  const std::string usual = textOf(config), tensors = textOf(weights);
  const auto refusal = [&](const std::string& what, const std::string& by) {
    std::string text = usual;
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    REQUIRE(writeFile(config, text.replace(at, what.size(), by)));
    const auto read = readModelDirectory(folder / "lora");
    return read ? std::string("accepted") : read.error().message();
  };
  CHECK(refusal("LORA", "LORA") == "accepted");
  CHECK(isModelDirectory(folder / "lora"));
  CHECK_THAT(refusal("LORA", "IA3"), ContainsSubstring("peft_type: is \"IA3\""));
  CHECK_THAT(refusal("\"bias\": \"none\"", "\"bias\": \"all\""), ContainsSubstring("bias"));
  CHECK_THAT(refusal("\"r\": 2", "\"r\": 0"), ContainsSubstring(", r: "));
  CHECK_THAT(refusal("\"r\": 2", "\"r\": 3"), ContainsSubstring("rank 2") && ContainsSubstring("r is 3"));
  CHECK_THAT(refusal("\"lora_alpha\": 3", "\"lora_alpha\": \"3\""), ContainsSubstring("lora_alpha"));
  CHECK_THAT(refusal("\"modules_to_save\": null", "\"use_dora\": true"),
             ContainsSubstring("use_dora do not agree on magnitudes"));
  CHECK_THAT(refusal("\"fan_in_fan_out\": false", "\"fan_in_fan_out\": true"),
             ContainsSubstring("another model"));
  CHECK_THAT(refusal("models/llama", "models/other"),
             ContainsSubstring("\"hub/of/models/other\" is not here"));
  REQUIRE(writeFile(config, usual));
  for (std::size_t cut : {std::size_t{0}, tensors.size() / 2, tensors.size() - 1}) {
    REQUIRE(writeFile(weights, tensors.substr(0, cut)));
    CHECK_FALSE(readModelDirectory(folder / "lora"));
  }
  fs::remove(weights);
  CHECK_THAT(refusal("LORA", "LORA"), ContainsSubstring("adapter_model.safetensors: is missing"));
}

TEST_CASE("an adapter has a rank and an alpha of its own for some weights, and what those cannot be is named",
          "[accuracy]") {
  const TemporaryFolder folder;
  fs::copy(formats / "llama", folder / "llama", fs::copy_options::recursive);
  fs::copy(formats / "llama_patterns", folder / "lora", fs::copy_options::recursive);
  const fs::path config = folder / "lora" / "adapter_config.json";
  const std::string usual = textOf(config);
  const auto refusal = [&](const std::string& what, const std::string& by) {
    std::string text = usual;
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    REQUIRE(writeFile(config, text.replace(at, what.size(), by)));
    const auto read = readModelDirectory(folder / "lora");
    return read ? std::string("accepted") : read.error().message();
  };
  CHECK(refusal("LORA", "LORA") == "accepted");
  CHECK_THAT(refusal("\"q_proj\": 1", "\"q_proj\": 0"),
             ContainsSubstring("rank_pattern, \"q_proj\": is not a rank from 1 to 4096"));
  CHECK_THAT(refusal("\"q_proj\": 1", "\"q_proj\": 2"), ContainsSubstring("and r is 2"));
  CHECK_THAT(refusal("\"q_proj\": 1", "\"q_(proj\": 1"), ContainsSubstring("rank_pattern, \"q_(proj\": "));
  CHECK_THAT(refusal("down_proj\": 5", "down_proj\": \"5\""), ContainsSubstring("alpha_pattern, "));
  CHECK_THAT(refusal("\"rank_pattern\": {", "\"rank_pattern\": 3, \"x\": {"),
             ContainsSubstring("rank_pattern: is not a list of fields"));
}

TEST_CASE("an adapter finds its base as a GGUF file, and what it learned as a whole is refused there",
          "[accuracy]") {
  const TemporaryFolder folder;
  fs::copy(formats / "llama_gguf_lora", folder / "lora", fs::copy_options::recursive);
  const auto missing = readModelDirectory(folder / "lora");
  REQUIRE_FALSE(missing);
  CHECK_THAT(missing.error().message(), ContainsSubstring("or GGUF file next to the adapter"));
  fs::copy(formats / "llama_lone" / "llama_lone.gguf", folder / "llama_lone.gguf");
  const auto read = readModelDirectory(folder / "lora");
  if (!read) FAIL(read.error().message());
  CHECK(read->name == "lora");
  fs::copy(formats / "llama_dora", folder / "dora", fs::copy_options::recursive);
  fs::copy(folder / "llama_lone.gguf", folder / "llama.gguf");
  const auto saved = readModelDirectory(folder / "dora");
  REQUIRE_FALSE(saved);
  CHECK_THAT(saved.error().message(),
             ContainsSubstring("was learned as a whole, and the base is the GGUF file") &&
                 ContainsSubstring("get the base as safetensors"));
}

TEST_CASE("tensors that an adapter has learned as a whole take the place of the base's, or are refused",
          "[accuracy]") {
  const TemporaryFolder folder;
  fs::copy(formats / "llama", folder / "llama", fs::copy_options::recursive);
  fs::copy(formats / "llama_dora", folder / "dora", fs::copy_options::recursive);
  const auto base = readModelDirectory(folder / "llama"), adapted = readModelDirectory(folder / "dora");
  if (!adapted) FAIL(adapted.error().message());
  CHECK(base->parameters["lm_head.weight"].copy() != adapted->parameters["lm_head.weight"].copy());
  CHECK(base->parameters["h.1.ln_1.weight"].copy() != adapted->parameters["h.1.ln_1.weight"].copy());
  CHECK(base->parameters["h.0.ln_1.weight"].copy() == adapted->parameters["h.0.ln_1.weight"].copy());
  // Beside a base that unembeds with its embeddings, the saved unembedding is one of its own.
  std::string config = textOf(folder / "llama" / "config.json");
  const std::string untied = "\"tie_word_embeddings\": false", tied = "\"tie_word_embeddings\": true";
  REQUIRE(config.find(untied) != std::string::npos);
  REQUIRE(
      writeFile(folder / "llama" / "config.json", config.replace(config.find(untied), untied.size(), tied)));
  CHECK(readModelDirectory(folder / "llama")->config.tiedUnembedding);
  const auto again = readModelDirectory(folder / "dora");
  if (!again) FAIL(again.error().message());
  CHECK_FALSE(again->config.tiedUnembedding);
  CHECK(again->parameters["lm_head.weight"].copy() == adapted->parameters["lm_head.weight"].copy());
  const auto refusalOf = [&](const char* tensor, std::vector<int> extent) {
    const Tensor values(std::span<const int>(extent),
                        std::vector<float>(static_cast<std::size_t>(extent[0]) *
                                               static_cast<std::size_t>(extent.size() > 1 ? extent[1] : 1),
                                           1));
    const std::vector<NamedTensor> tensors{{tensor, values.view()}};
    REQUIRE(writeSafetensors(folder / "dora" / "adapter_model.safetensors", tensors));
    const auto read = readModelDirectory(folder / "dora");
    return read ? std::string("accepted") : read.error().message();
  };
  CHECK_THAT(refusalOf("base_model.model.model.embed_tokens.weight", {280, 16}),
             ContainsSubstring("saves the embeddings of a model that unembeds with them"));
  CHECK_THAT(refusalOf("base_model.model.model.norm.weight", {15}),
             ContainsSubstring("has the shape [15]; its base has [16]"));
  CHECK_THAT(refusalOf("base_model.model.score.weight", {2, 16}),
             ContainsSubstring("replaces a tensor that the base model lacks"));
  CHECK_THAT(refusalOf("base_model.model.model.embed_tokens.lora_embedding_A", {2, 16}),
             ContainsSubstring("is not a known part of an adapted weight"));
}
