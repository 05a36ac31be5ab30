#include "core/io/config_file.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <set>

#include "core/io/files.h"
#include "core/io/formats/model_formats.h"
#include "core/model/choices.h"
#include "core/model/positional/positional_encodings.h"
#include "core/model/positional/sinusoidal.h"
using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

Result<ModelConfig> parsed(const std::string& json) {
  const auto family = readFamilyConfig(json);
  if (!family) return family.error();
  return family->config;
}

// The keys of the published GPT-2 small.
const std::string gpt2 = R"({"activation_function": "gelu_new", "architectures": ["GPT2LMHeadModel"],
  "attn_pdrop": 0.1, "bos_token_id": 50256, "embd_pdrop": 0.1, "eos_token_id": 50256, "initializer_range": 0.02,
  "layer_norm_epsilon": 1e-05, "model_type": "gpt2", "n_ctx": 1024, "n_embd": 768, "n_head": 12, "n_layer": 12,
  "n_positions": 1024, "resid_pdrop": 0.1, "vocab_size": 50257})";

std::string with(std::string_view from, std::string_view to) {
  std::string json = gpt2;
  const std::size_t at = json.find(from);
  REQUIRE(at != std::string::npos);
  return json.replace(at, from.size(), to);
}

std::string refusal(const std::string& json) {
  const auto config = parsed(json);
  return config ? "accepted" : config.error().message();
}

}  // namespace

TEST_CASE("the config of GPT-2 small is read") {
  const auto config = parsed(gpt2);
  REQUIRE(config);
  CHECK(*config == ModelConfig{.layers = 12,
                               .heads = 12,
                               .width = 768,
                               .feedForward = 3072,
                               .vocabulary = 50257,
                               .context = 1024,
                               .positions = &learnedPositions(),
                               .activation = Activation::GeluTanh,
                               .tiedUnembedding = true,
                               .normEpsilon = 1e-5f,
                               .dropout = 0.1f});
}

TEST_CASE("every config comes back as it was written") {
  for (const auto* positions : {&learnedPositions(), &sinusoidalPositions()})
    for (const auto activation : {Activation::GeluTanh, Activation::Gelu, Activation::Relu})
      for (const bool tied : {true, false}) {
        const ModelConfig config{.layers = 3,
                                 .heads = 2,
                                 .width = 6,
                                 .feedForward = 10,
                                 .vocabulary = 300,
                                 .context = 17,
                                 .positions = positions,
                                 .activation = activation,
                                 .tiedUnembedding = tied,
                                 .normEpsilon = 3e-6f};
        const auto read = parsed(modelConfigJson(config, 299));
        REQUIRE(read);
        CHECK(*read == config);
      }
  CHECK_THAT(modelConfigJson({}, -1), ContainsSubstring("\"layer_norm_epsilon\": 1e-05"));
}

TEST_CASE("every option of every choice comes back as it was written") {
  for (const ConfigChoice& choice : configChoices())
    for (std::size_t option = 0; option < choice.options.size(); ++option) {
      INFO(choice.id << " " << choice.options[option].id);
      ModelConfig config;
      choice.set(config, static_cast<int>(option));
      CHECK(choice.get(config) == static_cast<int>(option));
      config.mask.painted = {{3, 5, true}, {4, 1, false}};
      const std::string json = modelConfigJson(config, -1);
      const auto read = parsed(json);
      if (const Status valid = validate(config); !valid) {
        REQUIRE_FALSE(read);
        CHECK(read.error().what == valid.error().what);
        continue;
      }
      REQUIRE(read);
      CHECK(*read == config);
      CHECK_THAT(json, ContainsSubstring("\"model_type\": \"glassformer\""));
    }
  ModelConfig config;
  config.positions = findPositionalEncoding("rotary"), config.positionParameter = 500,
  config.keyValueHeads = 2;
  CHECK(*parsed(modelConfigJson(config, -1)) == config);
  config.positions = findPositionalEncoding("bucketed"), config.positionParameter = 7;
  config.distanceBuckets = 12;
  CHECK(*parsed(modelConfigJson(config, -1)) == config);
  CHECK_THAT(refusal(with("\"n_ctx\": 1024", R"("relative_attention_num_buckets": 3)")),
             ContainsSubstring("relative_attention_num_buckets: is 3; it must be 4 to 4096"));
  CHECK_THAT(modelConfigJson({}, -1), ContainsSubstring("\"model_type\": \"gpt2\""));
}

TEST_CASE("a GPT-2 may divide scores by the number of their block, and compute them in another order") {
  const auto read = parsed(with(
      "\"n_ctx\": 1024", "\"scale_attn_by_inverse_layer_idx\": true, \"reorder_and_upcast_attn\": true"));
  REQUIRE(read);
  CHECK(read->scoresByLayer);
  CHECK(read->ofLayer(0).scoreScale() == 0.125f);
  CHECK(read->ofLayer(4).scoreScale() == 0.125f / 5);
  CHECK(*parsed(modelConfigJson(*read, -1)) == *read);
}

TEST_CASE("a model is called a GPT-2 where GPT-2 computes the same, and nowhere else") {
  const std::set<std::string> alike{"gelu_new", "gelu", "relu", "silu",
                                    "learned"};  // options that it has itself
  for (const ConfigChoice& choice : configChoices())
    for (std::size_t option = 0; option < choice.options.size(); ++option) {
      ModelConfig config;
      const int usual = choice.get(config);
      choice.set(config, static_cast<int>(option));
      const std::string& id = choice.options[option].id;
      INFO(choice.id << " " << id);
      const bool same = static_cast<int>(option) == usual || alike.contains(id) ||
                        choice.id == "tie_word_embeddings" || choice.id == "scale_attn_by_inverse_layer_idx";
      const char* type = same ? "\"model_type\": \"gpt2\"" : "\"model_type\": \"glassformer\"";
      CHECK_THAT(modelConfigJson(config, -1), ContainsSubstring(type));
      CHECK((modelConfigJson(config, -1).find("GPT2LMHeadModel") != std::string::npos) == same);
    }
}

TEST_CASE("every model that ships says of what type it is") {
  int models = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(SOURCE_FOLDER) + "/assets/models")) {
    if (entry.path().filename() != "config.json") continue;
    ++models;
    INFO(entry.path());
    const auto json = readTextFile(entry.path());
    REQUIRE(json);
    const auto config = parsed(*json);
    REQUIRE(config);
    for (const char* type :
         {"\"model_type\": \"gpt2\"", "\"model_type\": \"glassformer\"", "GPT2LMHeadModel"}) {
      INFO(type);
      CHECK((json->find(type) != std::string::npos) ==
            (modelConfigJson(*config, -1).find(type) != std::string::npos));
    }
  }
  CHECK(models >= 11);
}

TEST_CASE("directories of earlier days, which called every model a GPT-2, are read as they are") {
  const auto config = parsed(with("\"n_ctx\": 1024", "\"position_embedding_type\": \"rotary\""));
  REQUIRE(config);
  CHECK(config->positions == findPositionalEncoding("rotary"));
}

TEST_CASE("weights that no index could name are refused before anything is made of them") {
  const std::string huge =
      R"({"n_layer": 1, "n_head": 65536, "n_embd": 65536, "n_positions": 4194304, "vocab_size": 9, )";
  CHECK_THAT(refusal(huge + R"("readout": "one_matrix"})"),
             ContainsSubstring("values of 4294967296 columns"));
  CHECK_THAT(refusal(huge + R"("mixing": "convolution", "kernel_width": 4194304})"),
             ContainsSubstring("taps of 274877906944 columns"));
}

TEST_CASE("a config that cannot be is refused with its field") {
  CHECK_THAT(refusal(with("\"n_head\": 12, ", "")), ContainsSubstring("config.json, n_head: is missing"));
  CHECK_THAT(refusal(with("\"n_layer\": 12", "\"n_layer\": 0")),
             ContainsSubstring("config.json, n_layer: is 0"));
  CHECK_THAT(refusal(with("\"n_layer\": 12", "\"n_layer\": 999999999")), ContainsSubstring("n_layer"));
  CHECK_THAT(refusal(with("\"n_embd\": 768", "\"n_embd\": 1e3")),
             ContainsSubstring("n_embd: is not a whole number"));
  CHECK_THAT(refusal(with("50257}", "18446744073709551615}")), ContainsSubstring("vocab_size"));
  CHECK_THAT(refusal(with("50257}", "-5}")), ContainsSubstring("vocab_size: is -5"));
  CHECK_THAT(refusal(with("\"n_head\": 12", "\"n_head\": 11")),
             ContainsSubstring("not divisible by n_head 11"));
  CHECK_THAT(refusal(with("gelu_new", "mish")), ContainsSubstring("is \"mish\"; known are gelu_new"));
  CHECK_THAT(refusal(with("\"n_ctx\": 1024", "\"scale_attn_weights\": 1")),
             ContainsSubstring("scale_attn_weights: is neither true nor false"));
  CHECK_THAT(refusal(with("\"n_ctx\": 1024", "\"position_embedding_type\": \"spiral\"")),
             ContainsSubstring("is \"spiral\"; known are none, sinusoidal, sinusoidal_halves, learned"));
  CHECK_THAT(refusal(with("\"n_ctx\": 1024", "\"n_head_kv\": 5")),
             ContainsSubstring("n_head 12 is not divisible by n_head_kv 5"));
  CHECK_THAT(refusal(with("\"n_ctx\": 1024", "\"mask\": \"window\", \"mask_size\": 0")),
             ContainsSubstring("mask_size is 0"));
  CHECK_THAT(refusal(with("\"n_ctx\": 1024", "\"painted_mask\": [[1, 2]]")),
             ContainsSubstring("painted_mask: has an entry that is not"));
  CHECK_THAT(refusal(with("\"n_ctx\": 1024", "\"n_inner\": \"many\"")), ContainsSubstring("n_inner"));
  CHECK_THAT(refusal(with("1e-05", "-1")), ContainsSubstring("layer_norm_epsilon: is -1; it must be 0 to 1"));
  CHECK_THAT(refusal(with("\"gpt2\"", "\"xlnet\"")), ContainsSubstring("model_type"));
  CHECK_THAT(refusal("[]"), ContainsSubstring("not a JSON object"));
  CHECK_THAT(refusal("{"), ContainsSubstring("config.json, line 1: not valid JSON"));
  CHECK(refusal(with("\"n_ctx\": 1024", "\"n_inner\": null")) == "accepted");
}

TEST_CASE("another kind of model is told from a damaged config") {
  CHECK(isModelConfig(gpt2));
  CHECK_FALSE(isModelConfig(with("\"gpt2\"", "\"xlnet\"")));
  CHECK(isModelConfig("{damaged"));
}
