// Every field of a config.json is computed, known to change nothing, or refused by its name.
#include "core/io/formats/idle_fields.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/io/config_file.h"
#include "core/io/formats/model_formats.h"
#include "tests/core/io/formats/format_fixture.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

using Json = nlohmann::json;

// The fields of published models, as transformers 2 to 4 and as transformers 5 writes them:
// tests/reference/make_published_configs.py.
Json publishedConfigs() { return Json::parse(textOf(formats.parent_path() / "published_configs.json")); }

// One config.json of each model_type.
std::map<std::string, Json> oneOfEachType() {
  std::map<std::string, Json> all;
  const Json published = publishedConfigs();
  for (const auto& [name, both] : published.items()) all.emplace(both[0]["model_type"], both[0]);
  ModelConfig own;
  own.norm = NormKind::Rms;
  all["glassformer"] = Json::parse(modelConfigJson(own, 7));
  return all;
}

Result<FamilyConfig> readJson(const Json& config) { return readFamilyConfig(config.dump()); }

bool isSame(const FamilyConfig& a, const FamilyConfig& b) {
  return a.config == b.config && a.ends == b.ends && a.rowsBefore == b.rowsBefore;
}

}  // namespace

TEST_CASE("published configs open, as older and as newer versions of transformers write them") {
  int opened = 0;
  const Json published = publishedConfigs();
  for (const auto& [name, both] : published.items()) {
    INFO(name);
    const auto older = readJson(both[0]), newer = readJson(both[1]);
    if (!older) FAIL(older.error().message());
    if (!newer) FAIL(newer.error().message());
    CHECK(isSame(*older, *newer));
    ++opened;
  }
  CHECK(opened == 37);
  std::set<std::string> types;
  for (const ModelFormat* format : modelFormats()) types.insert(format->types.begin(), format->types.end());
  for (const auto& [type, config] : oneOfEachType()) types.erase(type);
  CHECK(types == std::set<std::string>{});
}

TEST_CASE("published configs are the models that they are") {
  const Json all = publishedConfigs();
  const auto config = [&](const char* name) {
    const auto read = readJson(all.at(name)[0]);
    REQUIRE(read);
    return read->config;
  };
  CHECK(config("Llama-3.2-1B-Instruct").rotaryScaling ==
        RotaryScaling{RopeScaling::ByWavelength, 32, 1, 4, 8192});
  CHECK(readJson(all["Llama-3.2-1B-Instruct"][0])->ends == std::vector{128001, 128008, 128009});
  CHECK(config("Mistral-7B-v0.1").mask == AttentionMask{MaskKind::Window, 4096, {}});
  CHECK(config("Qwen2-0.5B").mask == AttentionMask{});
  const ModelConfig gemma = config("gemma-3-270m");
  CHECK(gemma.fullBlocks == std::vector{false, false, false, false, false, true});
  CHECK((gemma.localBase == 10000 && gemma.positionParameter == 1e6f));
  CHECK(config("bart-large-cnn").forcedBosToken == 0);
  const ModelConfig stories = config("TinyStories-33M");
  CHECK(stories.fullBlocks == std::vector{true, false});
  CHECK(stories.mask == AttentionMask{MaskKind::Window, 256, {}});
  CHECK((!stories.scaledScores && stories.feedForward == 4 * 768));
  CHECK(config("phi-2").rotaryDim == 32);
  CHECK(config("gpt-j-6B").rotaryDim == 64);
  CHECK(config("opt-350m").normPlacement == NormPlacement::Post);
}

TEST_CASE("a field that nobody knows is refused by its name in every family", "[property]") {
  for (auto& [type, config] : oneOfEachType()) {
    INFO(type);
    config["future_field"] = 3;
    const auto refused = readJson(config);
    REQUIRE_FALSE(refused);
    CHECK_THAT(
        refused.error().message(),
        ContainsSubstring(
            "config.json, future_field: is 3, a field that is not known here (its effect would be ignored)"));
    config["future_field"] = nullptr;
    CHECK(readJson(config));
  }
}

TEST_CASE("a field that changes nothing does so in every family, or the family says what it reads in it",
          "[property]") {
  std::set<std::string> read;
  int idle = 0;
  for (const auto& [type, config] : oneOfEachType())
    for (const IdleField& field : idleFields()) {
      INFO(type << ", " << field.name);
      if (std::string(field.name) == "model_type") continue;
      Json without = config, with = config;
      without.erase(field.name);
      with[field.name] = Json::parse(R"({"nobody": "writes this"})");
      const auto before = readJson(without), after = readJson(with);
      if (after) {
        CHECK_FALSE(field.only);
        CHECK((before && isSame(*before, *after)));
        ++idle;
        continue;
      }
      CHECK_THAT(after.error().message(), ContainsSubstring("config.json, " + std::string(field.name)));
      if (!field.only) {
        read.insert(type + " " + field.name);
        continue;
      }
      CHECK_THAT(after.error().message(), ContainsSubstring("; read here is " + std::string(field.only)));
      CHECK_THAT(after.error().hint, ContainsSubstring(field.why));
      with[field.name] = Json::parse(field.only);
      const auto allowed = readJson(with);
      CHECK((before && allowed && isSame(*before, *allowed)));
    }
  CHECK(idle > 1500);
  std::set<std::string> readThemselves{"roberta pad_token_id"};
  for (const char* reader : {"bart", "marian", "t5", "mt5", "gpt2", "glassformer"})
    for (const char* field : {"decoder_start_token_id", "forced_bos_token_id", "forced_eos_token_id"})
      readThemselves.insert(reader + std::string(" ") + field);
  for (const char* reader : {"bart", "marian", "t5", "mt5"})
    readThemselves.insert(reader + std::string(" bad_words_ids"));
  for (const char* own : {"gpt2", "glassformer"})
    for (const char* field : {"num_labels", "resid_pdrop", "sep_token_id"})
      readThemselves.insert(own + std::string(" ") + field);
  CHECK(read == readThemselves);
}

TEST_CASE("what a family does not compute is refused by name where its file asks for it") {
  std::map<std::string, Json> all = oneOfEachType();
  const auto refusal = [&](const char* type, const char* change) {
    Json config = all.at(type);
    config.merge_patch(Json::parse(change));
    const auto read = readJson(config);
    return read ? "accepted" : read.error().message();
  };
  CHECK_THAT(refusal("bert", R"({"is_decoder": true})"), ContainsSubstring("is_decoder: is true"));
  CHECK(refusal("gpt2", R"({"is_decoder": true})") == "accepted");
  CHECK_THAT(refusal("t5", R"({"is_encoder_decoder": false})"), ContainsSubstring("is_encoder_decoder"));
  CHECK_THAT(refusal("llama", R"({"is_encoder_decoder": true})"), ContainsSubstring("is_encoder_decoder"));
  CHECK_THAT(refusal("gemma", R"({"use_bidirectional_attention": true})"),
             ContainsSubstring("use_bidirectional_attention: is set in a way"));
  CHECK_THAT(refusal("gemma3_text", R"({"use_bidirectional_attention": "vision"})"),
             ContainsSubstring("use_bidirectional_attention: is \"vision\", neither true nor false"));
  CHECK_THAT(refusal("bert", R"({"layer_types": ["sliding_attention"], "num_hidden_layers": 1})"),
             ContainsSubstring("layer_types: lists sliding_attention, but the file sets no sliding_window"));
  CHECK_THAT(refusal("llama", R"({"rope_scaling": {"mrope_section": [1], "rope_type": "default"}})"),
             ContainsSubstring("rope_scaling.mrope_section: is [1], a field that is not known here"));
  CHECK_THAT(refusal("llama", R"({"rope_parameters": {"full_attention": {"rope_theta": 5}}})"),
             ContainsSubstring("rope_parameters: has a group for each type of layer"));
  CHECK_THAT(refusal("gemma3_text", R"({"rope_parameters": {"full_attention": {}, "other": {}}})"),
             ContainsSubstring("rope_parameters.other"));
  CHECK_THAT(refusal("t5", R"({"is_gated_act": false})"),
             ContainsSubstring("contradicts feed_forward_proj \"gated-gelu\""));
  CHECK_THAT(refusal("t5", R"({"dense_act_fn": "silu"})"), ContainsSubstring("dense_act_fn: contradicts"));
  CHECK_THAT(refusal("marian", R"({"decoder_vocab_size": 9})"), ContainsSubstring("decoder_vocab_size"));
  CHECK_THAT(refusal("bart", R"({"extra_pos_embeddings": 3})"), ContainsSubstring("extra_pos_embeddings"));
  CHECK_THAT(refusal("phi", R"({"qk_layernorm": true})"), ContainsSubstring("qk_layernorm"));
  CHECK_THAT(refusal("gptj", R"({"rotary": false})"), ContainsSubstring("rotary: is set in a way"));
  CHECK_THAT(refusal("opt", R"({"layer_norm_elementwise_affine": false})"),
             ContainsSubstring("layer_norm_elementwise_affine"));
  CHECK_THAT(refusal("gpt_neo", R"({"attention_types": [[["global"], 9]]})"),
             ContainsSubstring("attention_types: does not list as many blocks as num_layers"));
  CHECK_THAT(refusal("gpt_neo", R"({"attention_types": [[["round"], 4]]})"),
             ContainsSubstring("attention_types: lists \"round\"; known are global and local"));
  CHECK_THAT(refusal("roberta", R"({"pad_token_id": -5})"), ContainsSubstring("pad_token_id: is -5"));
}
