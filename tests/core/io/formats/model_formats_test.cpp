// Directories of other families, against PyTorch modules of the published architectures.
#include "core/io/formats/model_formats.h"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <deque>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/io/files.h"
#include "core/io/model_directory.h"
#include "core/io/tokenizer_directory.h"
#include "core/lens/gradient_pass.h"
#include "core/model/live_pass.h"
#include "core/model/positional/sinusoidal.h"
#include "core/random.h"
#include "tests/core/io/formats/format_fixture.h"
#include "tests/core/io/sixteen_bit_file.h"
#include "tests/core/io/temporary_folder.h"
#include "tests/core/model/reference_values.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

// Of "84,104,101".
std::vector<int> idsOf(const std::string& list) {
  std::vector<int> ids;
  std::istringstream numbers(list);
  for (std::string number; std::getline(numbers, number, ',');) ids.push_back(std::stoi(number));
  return ids;
}

}  // namespace

TEST_CASE("directories of every family are computed as PyTorch computes them", "[accuracy]") {
  int families = 0;
  for (const auto& entry : fs::directory_iterator(formats)) {
    if (!entry.is_directory()) continue;
    ++families;
    const std::string name = entry.path().filename().string();
    INFO(name);
    auto directory = readModelDirectory(entry.path());
    if (!directory) FAIL(directory.error().message());
    const ReferenceValues reference("formats/" + name + ".trace");
    LivePass live(std::make_shared<const Transformer>(directory->config, std::move(directory->parameters)));
    const std::vector<int> tokens{84, 104, 101, 220, 99, 97, 116, 257, 13};
    const std::vector<int> source = directory->config.isEncoderDecoder()
                                        ? idsOf(reference.stored().metadata().at("source"))
                                        : std::vector<int>{};
    const auto trace = live.run(tokens, {}, source);
    CHECK(reference.stored().metadata().at("tokens") == "84,104,101,220,99,97,116,257,13");
    int compared = 0;
    for (const StoredTensor& tensor : reference.stored().tensors()) {
      INFO(tensor.name);
      REQUIRE(trace->contains(tensor.name));
      CHECK(worst((*trace)[tensor.name].copy(), *tensor.converted()) < 1e-4);
      ++compared;
    }
    CHECK(compared >= 15);
    // Of these the reference holds everything that is computed.
    if (directory->config.stack == Stack::EncoderOnly) CHECK(compared == trace->count());
  }
  CHECK(families == 61);
}

TEST_CASE("weights in 16 bits are read as the float32 that they stand for, in every layout") {
  for (const char* name : {"llama3", "llama_biased", "qwen2", "pythia", "gemma2", "bert", "bart", "mistral",
                           "gpt_neo", "gptj", "phi", "opt", SOURCE_FOLDER "/assets/models/stories"})
    for (const std::string type : {"BF16", "F16"}) {
      INFO(name << ", " << type);
      const TemporaryFolder folders[2];
      const auto stored = StoredTensors::open(formats / name / "model.safetensors");
      REQUIRE(stored);
      std::deque<std::vector<float>> cut;
      std::vector<NamedTensor> wide;
      for (const StoredTensor& tensor : stored->tensors()) {
        if (!tensor.isFloat()) continue;
        std::vector<float>& values = cut.emplace_back();
        for (const std::uint16_t bits : sixteenBitsOf(*tensor.converted(), type))
          values.push_back(widened(bits, type));
        const std::vector<int> extent(tensor.shape.begin(), tensor.shape.end());
        wide.push_back({tensor.name, TensorView(values.data(), extent)});
      }
      REQUIRE(writeSafetensors(folders[0] / "model.safetensors", wide));
      REQUIRE(writeSixteenBits(folders[1] / "model.safetensors", stored->tensors(), type));
      std::vector<Parameters> read;
      for (const TemporaryFolder& folder : folders) {
        for (const auto& file : fs::directory_iterator(formats / name))
          if (file.path().filename() != "model.safetensors")
            fs::copy(file.path(), folder / file.path().filename().string());
        auto directory = readModelDirectory(folder.path());
        if (!directory) FAIL(directory.error().message());
        read.push_back(std::move(directory->parameters));
      }
      REQUIRE(read[0].count() == read[1].count());
      for (int i = 0; i < read[0].count(); ++i) {
        INFO(read[0].spec(i).name);
        CHECK(read[0].view(i).copy() == read[1].view(i).copy());
      }
    }
}

TEST_CASE("encoders are read by what their files call things", "[accuracy]") {
  const auto read = [](const char* name) {
    auto directory = readModelDirectory(formats / name);
    if (!directory) FAIL(directory.error().message());
    return *std::move(directory);
  };
  const ModelDirectory bert = read("bert"), old = read("bert_old"), distilled = read("distilbert"),
                       untied = read("distilbert_untied"), roberta = read("roberta"),
                       json = read("roberta_json");
  CHECK(bert.config.stack == Stack::EncoderOnly);
  CHECK(bert.config.mask.kind == MaskKind::None);
  CHECK(bert.config.tokenTypes == 2);
  CHECK(bert.config.separator == bert.tokenizer->find("[SEP]"));
  CHECK(bert.config.normedEmbedding);
  CHECK(bert.config.headTransform);
  CHECK(bert.config.unembeddingBias);
  CHECK(bert.config.tiedUnembedding);
  CHECK(bert.config.activation == Activation::Gelu);
  CHECK(old.config.activation == Activation::Relu);
  CHECK(distilled.config.tokenTypes == 0);
  CHECK_FALSE(untied.config.tiedUnembedding);
  CHECK(roberta.config.context == 64);
  CHECK(roberta.config.tokenTypes == 1);
  CHECK(roberta.config.separator == -1);
  for (const ModelDirectory* each : {&bert, &old, &distilled, &untied, &roberta, &json}) CHECK(each->hasHead);
  CHECK(*roberta.tokenizer == *json.tokenizer);
  CHECK(*bert.tokenizer == *old.tokenizer);
  for (const ModelDirectory* each : {&bert, &old}) {
    CHECK(each->tokenizer->kind().id == "word-pieces");
    CHECK(each->tokenizer->startOfText() == each->tokenizer->find("[CLS]"));
    CHECK(each->tokenizer->closeOfText() == each->tokenizer->find("[SEP]"));
    CHECK(each->tokenizer->mask() == each->tokenizer->find("[MASK]"));
  }
  CHECK(roberta.tokenizer->startOfText() == 0);
  CHECK(roberta.tokenizer->closeOfText() == 2);
  CHECK(roberta.tokenizer->mask() == roberta.tokenizer->find("<mask>"));
  CHECK(roberta.tokenizer->encodeIds("a <mask>").size() == 2);  // the space goes with the mask
}

TEST_CASE("an encoder without a head is opened, and says that it has none", "[accuracy]") {
  const auto directory = readModelDirectory(formats / "bert_headless");
  if (!directory) FAIL(directory.error().message());
  CHECK_FALSE(directory->hasHead);
  CHECK_FALSE(directory->config.headTransform);
  CHECK_FALSE(directory->config.unembeddingBias);
  CHECK(directory->config.tiedUnembedding);
}

TEST_CASE("what the families call our choices", "[accuracy]") {
  const auto configOf = [](const char* name) {
    const auto family = readFamilyConfig(textOf(formats / name / "config.json"));
    REQUIRE(family);
    return family->config;
  };
  CHECK(configOf("llama").keyValueHeads == 2);
  CHECK(configOf("llama").biases == Biases::None);
  CHECK(configOf("llama_biased").biases == Biases::All);
  CHECK(configOf("llama_biased").headWidth() == 6);
  CHECK(configOf("llama3").rotaryScaling == RotaryScaling{RopeScaling::ByWavelength, 8, 1, 4, 96});
  CHECK(configOf("llama_linear").rotaryScaling.slowing == RopeScaling::Linear);
  CHECK(configOf("mistral").rotaryScaling == RotaryScaling{});
  CHECK(configOf("mistral").mask == AttentionMask{MaskKind::Window, 4, {}});
  CHECK(configOf("qwen2").biases == Biases::QueriesKeysValues);
  CHECK(configOf("qwen2").tiedUnembedding);
  CHECK(configOf("qwen3").normedQueries);
  CHECK(configOf("qwen3").biases == Biases::None);
  const ModelConfig gemma2 = configOf("gemma2"), gemma3 = configOf("gemma3");
  CHECK(gemma2.normPlacement == NormPlacement::Sandwich);
  CHECK(gemma2.scoreWidth == 10);
  CHECK(gemma2.scoreCap == 2);
  CHECK(gemma2.logitCap == 3);
  CHECK(gemma2.fullBlocks == std::vector{false, true});
  CHECK(gemma2.mask == AttentionMask{MaskKind::Window, 4, {}});
  CHECK(gemma3.normedQueries);
  CHECK(gemma3.scoreCap == 0);
  CHECK(gemma3.fullBlocks == std::vector{false, false, true});
  CHECK(gemma3.localBase == 50);
  CHECK(gemma3.positionParameter == 1000);
  CHECK(gemma3.scoreWidth == 0);  // as wide as a head
  const ModelConfig t5 = configOf("t5"), gated = configOf("t5_gated");
  CHECK(t5.stack == Stack::EncoderDecoder);
  CHECK(t5.activation == Activation::Relu);
  CHECK(t5.scaledUnembedding);
  CHECK_FALSE(t5.scaledScores);
  CHECK(t5.headWidth() == 6);
  CHECK(t5.positionParameter == 20);
  CHECK(t5.distanceBuckets == 32);
  CHECK(t5.decoderStartToken == 0);
  CHECK(gated.activation == Activation::GeGlu);
  CHECK_FALSE(gated.scaledUnembedding);
  const ModelConfig bart = configOf("bart");
  CHECK(bart.normPlacement == NormPlacement::Post);
  CHECK(bart.normedEmbedding);
  CHECK(bart.unembeddingBias);
  CHECK(bart.context == 64);
  CHECK(bart.decoderStartToken == 2);
  const ModelConfig marian = configOf("marian"), distilled = configOf("bart_distilled");
  CHECK(marian.positions == &sinusoidalHalvesPositions());
  CHECK(marian.activation == Activation::Silu);
  CHECK_FALSE(marian.normedEmbedding);
  CHECK(std::array{marian.decoderStartToken, marian.forcedBosToken, marian.forcedEosToken,
                   marian.bannedToken} == std::array{279, -1, 0, 279});
  CHECK(distilled.layers == 1);
  CHECK(distilled.encoderBlocks() == 3);
  CHECK(distilled.forcedBosToken == 0);
  CHECK(configOf("t5_uneven").encoderBlocks() == 1);
  CHECK(configOf("t5_uneven").layers == 3);
  CHECK(configOf("t5_eight_buckets").distanceBuckets == 8);
  CHECK(configOf("t5_odd_buckets").distanceBuckets == 13);
  CHECK(configOf("llama_yarn").rotaryScaling == RotaryScaling{RopeScaling::Yarn, 4, 1, 8, 96, 0});
  CHECK(configOf("pythia").parallel);
  CHECK(configOf("pythia").rotaryDim == 2);
  CHECK_FALSE(configOf("neox_sequential").parallel);
  CHECK(configOf("neox_sequential").rotaryDim == 0);
}

TEST_CASE("what newer directories say of the texts that are written comes from a file of its own") {
  Copied bart("bart");
  REQUIRE(writeFile(bart.path() / "generation_config.json",
                    R"({"decoder_start_token_id": 3, "forced_bos_token_id": 0, "forced_eos_token_id": 2})"));
  const auto read = readModelDirectory(bart.path());
  if (!read) FAIL(read.error().message());
  CHECK(std::array{read->config.decoderStartToken, read->config.forcedBosToken,
                   read->config.forcedEosToken} == std::array{3, 0, 2});
  REQUIRE(writeFile(bart.path() / "generation_config.json", "{"));
  CHECK_THAT(bart.refusal(), ContainsSubstring("generation_config.json"));
}

TEST_CASE("newer files of Gemma 3 have the bases of both kinds of layers in one place") {
  Copied gemma("gemma3");
  gemma.with("\"rope_theta\": 1000.0,", "")
      .with("\"rope_local_base_freq\": 50.0,", "")
      .with("\"rope_scaling\": {", R"("rope_parameters": {"full_attention": {"rope_theta": 1000.0,)")
      .with("\"factor\": 4.0\n }",
            R"("factor": 4.0}, "sliding_attention": {"rope_theta": 50.0, "rope_type": "default"}})");
  const auto newer = readFamilyConfig(textOf(gemma.path() / "config.json")),
             older = readFamilyConfig(textOf(formats / "gemma3" / "config.json"));
  if (!newer) FAIL(newer.error().message());
  CHECK(newer->config == older->config);
}

TEST_CASE("what is not computed here is refused with its field, and what the way out is") {
  CHECK(Copied("llama").refusal() == "accepted");
  CHECK_THAT(
      Copied("llama").with("\"llama\"", "\"mamba\"").refusal(),
      ContainsSubstring("config.json, model_type: is \"mamba\", a family that cannot be read "
                        "(those that can are gpt2, glassformer, llama, mistral, qwen2, qwen3, gemma, gemma2, "
                        "gemma3_text, gpt_neox, gpt_neo, gptj, phi, opt, bert, distilbert, roberta, t5, mt5, "
                        "bart, marian)"));
  CHECK_THAT(Copied("gemma3")
                 .with("\"gemma3_text\",", R"("gemma3", "text_config": {"model_type": "gemma3_text"},)")
                 .refusal(),
             ContainsSubstring("model_type: is \"gemma3\", a family that cannot be read (its text model is a "
                               "Gemma 3: save that alone, with its text_config as config.json)"));
  CHECK_THAT(Copied("llama").with("\"silu\"", "\"gelu\"").refusal(), ContainsSubstring("hidden_act"));
  CHECK_THAT(
      Copied("llama")
          .with("\"rope_scaling\": null", R"("rope_scaling": {"rope_type": "longrope"})")
          .refusal(),
      ContainsSubstring("rope_scaling: stretches the positions by \"longrope\"; computed here are linear, "
                        "llama3 and yarn"));
  CHECK_THAT(Copied("llama_yarn").with("\"beta_fast\": 8.0", "\"mscale\": 1.0").refusal(),
             ContainsSubstring("rope_scaling: has mscale, which is not computed here; attention_factor is"));
  CHECK_THAT(Copied("t5").with("\"num_decoder_layers\": 2", "\"num_decoder_layers\": 1").refusal(),
             ContainsSubstring("has weights of layer 1, but config.json counts 1"));
  CHECK_THAT(Copied("bart").with("\"encoder_layers\": 2", "\"encoder_layers\": 3").refusal(),
             ContainsSubstring("the tensor encoder.layers.2.self_attn_layer_norm.weight is missing"));
  CHECK_THAT(
      Copied("bart").with("\"decoder_ffn_dim\": 20", "\"decoder_ffn_dim\": 24").refusal(),
      ContainsSubstring("decoder_ffn_dim: is not encoder_ffn_dim; encoder and decoder have it in common"));
  CHECK_THAT(
      Copied("marian")
          .with("\"share_encoder_decoder_embeddings\": true", "\"share_encoder_decoder_embeddings\": false")
          .refusal(),
      ContainsSubstring("share_encoder_decoder_embeddings: is set in a way"));
  CHECK_THAT(Copied("marian").with("\"forced_eos_token_id\": 0", "\"forced_eos_token_id\": 280").refusal(),
             ContainsSubstring("forced_eos_token_id is 280, but there are 280 tokens"));
  CHECK_THAT(Copied("bart").with("\"normalize_before\": false", "\"normalize_before\": true").refusal(),
             ContainsSubstring("normalize_before: is set in a way that"));
  CHECK_THAT(Copied("t5").with("\"relu\"", "\"gelu\"").refusal(),
             ContainsSubstring("feed_forward_proj: is \"gelu\"; known are relu, gated-gelu and gated-silu"));
  CHECK_THAT(Copied("t5")
                 .with("\"relative_attention_num_buckets\": 32", "\"relative_attention_num_buckets\": 16")
                 .refusal(),
             ContainsSubstring("has the shape [32, 4], config.json asks for [16, 4]"));
  CHECK_THAT(Copied("t5")
                 .with("\"relative_attention_num_buckets\": 32", "\"relative_attention_num_buckets\": 3")
                 .refusal(),
             ContainsSubstring("relative_attention_num_buckets: is 3; T5 needs 4 to 4096 buckets"));
  CHECK_THAT(
      Copied("t5")
          .with("\"relative_attention_max_distance\": 20", "\"relative_attention_max_distance\": 16")
          .refusal(),
      ContainsSubstring("relative_attention_max_distance: is 16; with 32 buckets T5 needs at least 17"));
  CHECK_THAT(Copied("t5")
                 .with("\"num_layers\": 2", "\"num_layers\": 1")
                 .with("\"num_decoder_layers\": 2", "\"num_decoder_layers\": 1")
                 .refusal(),
             ContainsSubstring("has weights of layer 1, but config.json counts 1"));
  CHECK_THAT(Copied("gemma3")
                 .with("\"sliding_attention\",\n  \"sliding", "\"chunked_attention\",\n  \"sliding")
                 .refusal(),
             ContainsSubstring("layer_types: lists \"chunked_attention\"; computed here are full_attention "
                               "and sliding_attention"));
  CHECK_THAT(Copied("gemma3").with("\"layer_types\": [", "\"layer_types\": [3,").refusal(),
             ContainsSubstring("layer_types: does not list as many types as there are layers"));
  CHECK_THAT(
      Copied("gemma2").with("\"attn_logit_softcapping\": 2.0", "\"attn_logit_softcapping\": -2").refusal(),
      ContainsSubstring("attn_logit_softcapping: is not a cap: it must be above 0, or null for none"));
  CHECK_THAT(Copied("llama3").with("\"factor\": 8.0", "\"factor\": -8.0").refusal(),
             ContainsSubstring("rope_scaling: factor is -8.0"));
  CHECK_THAT(Copied("llama3").with("\"low_freq_factor\": 1.0", "\"low_freq_factor\": 4.0").refusal(),
             ContainsSubstring("rope_high_freq_factor is not above rope_low_freq_factor"));
  CHECK_THAT(Copied("llama").with("\"hidden_size\": 16,", "").refusal(),
             ContainsSubstring("hidden_size: is missing"));
  CHECK_THAT(Copied("pythia").with("\"num_attention_heads\": 3,", "").refusal(),
             ContainsSubstring("num_attention_heads: is missing"));
  CHECK_THAT(Copied("llama").with("\"hidden_size\": 16", "\"hidden_size\": -3").refusal(),
             ContainsSubstring("hidden_size: is -3; it must be a whole number from 1"));
  CHECK_THAT(Copied("llama").with("\"num_key_value_heads\": 2", "\"num_key_value_heads\": 3").refusal(),
             ContainsSubstring("not divisible by n_head_kv 3"));
  CHECK_THAT(Copied("llama").with("\"vocab_size\": 280", "\"vocab_size\": 1e400").refusal(),
             ContainsSubstring("config.json"));
  CHECK_THAT(Copied("pythia").with("\"rotary_pct\": 0.25", "\"rotary_pct\": 7").refusal(),
             ContainsSubstring("rotary_pct: must be more than 0"));
  CHECK_THAT(Copied("pythia").with("\"attention_bias\": true", "\"attention_bias\": false").refusal(),
             ContainsSubstring("attention_bias"));
  CHECK_THAT(Copied("bert").with("\"absolute\"", "\"relative_key\"").refusal(),
             ContainsSubstring("position_embedding_type: is \"relative_key\"; computed here is absolute"));
  CHECK_THAT(Copied("bert").with("\"hidden_act\"", "\"is_decoder\": true, \"hidden_act\"").refusal(),
             ContainsSubstring("is_decoder: is true; of this family encoders are computed here"));
  CHECK_THAT(Copied("bert").with("\"hidden_act\": \"gelu\"", "\"hidden_act\": \"mish\"").refusal(),
             ContainsSubstring(
                 "hidden_act: is \"mish\"; known are gelu, gelu_new, gelu_fast, relu, silu and swish"));
  CHECK_THAT(Copied("distilbert").with("\"dim\": 16,", "").refusal(), ContainsSubstring("dim: is missing"));
  CHECK_THAT(Copied("roberta").with("\"hidden_act\": \"gelu\"", "\"hidden_act\": \"relu\"").refusal(),
             ContainsSubstring("hidden_act: is not gelu, which the head of a RoBERTa has in any case"));
  CHECK_THAT(Copied("roberta").with("\"pad_token_id\": 1", "\"pad_token_id\": 65").refusal(),
             ContainsSubstring("max_position_embeddings: is 66, but the first 66 are the padding's"));
}

TEST_CASE("an encoder's files cut short or damaged anywhere are refused or read, never more", "[property]") {
  Random random(11);
  int refused = 0;
  for (const char* name : {"bert", "bert_old", "distilbert", "roberta"})
    for (int round = 0; round < 40; ++round) {
      const Copied copied(name);
      std::vector<fs::path> files;
      for (const auto& entry : fs::directory_iterator(copied.path())) files.push_back(entry.path());
      std::ranges::sort(files);
      const fs::path& file = files[static_cast<std::size_t>(random.below(static_cast<int>(files.size())))];
      std::string bytes = textOf(file);
      const auto anywhere = [&] {
        return static_cast<std::size_t>(random.below(static_cast<int>(bytes.size())));
      };
      if (round % 2 == 0)
        bytes.resize(anywhere());
      else
        for (int i = 0; i < 4; ++i) bytes[anywhere()] = static_cast<char>(random.below(256));
      REQUIRE(writeFile(file, bytes));
      refused += copied.refusal() != "accepted";
    }
  CHECK(refused > 80);  // at least what was cut
}

TEST_CASE("weights that do not fit are refused with the tensor, by the name that it has there") {
  CHECK_THAT(Copied("qwen2").with("\"num_key_value_heads\": 2", "\"num_key_value_heads\": 4").refusal(),
             ContainsSubstring("tensor model.layers.0.self_attn.k_proj.weight: has the shape [8, 16], "
                               "config.json asks for [16, 16]"));
  CHECK_THAT(Copied("llama_biased")
                 .with("\"mlp_bias\": true", "\"mlp_bias\": false")
                 .with("\"attention_bias\": true", "\"attention_bias\": false")
                 .refusal(),
             ContainsSubstring("bias: is in a layer, but a Llama with this config.json has no use for it"));
  CHECK_THAT(Copied("mistral").with("\"num_hidden_layers\": 2", "\"num_hidden_layers\": 1").refusal(),
             ContainsSubstring("has weights of layer 1, but config.json counts 1"));
  CHECK_THAT(Copied("mistral").with("\"num_hidden_layers\": 2", "\"num_hidden_layers\": 3").refusal(),
             ContainsSubstring("the tensor model.layers.2.input_layernorm.weight is missing"));
  CHECK_THAT(Copied("bert").with("\"type_vocab_size\": 2", "\"type_vocab_size\": 3").refusal(),
             ContainsSubstring("tensor bert.embeddings.token_type_embeddings.weight: has the shape [2, 16], "
                               "config.json asks for [3, 16]"));
  CHECK_THAT(
      Copied("roberta").with("\"max_position_embeddings\": 66", "\"max_position_embeddings\": 67").refusal(),
      ContainsSubstring("tensor roberta.embeddings.position_embeddings.weight: has the shape [66, 16], "
                        "config.json asks for [67, 16]"));
  CHECK_THAT(Copied("distilbert").with("\"n_layers\": 2", "\"n_layers\": 1").refusal(),
             ContainsSubstring("has weights of layer 1, but config.json counts 1"));
  CHECK_THAT(
      Copied("distilbert").with("\"activation\"", "\"tie_word_embeddings\": false, \"activation\"").refusal(),
      ContainsSubstring("the tensor vocab_projector.weight is missing"));
}

TEST_CASE("weights in several files are read as one; what the index says wrong is refused") {
  const char* index = "model.safetensors.index.json";
  Copied lost("llama");
  fs::remove(lost.path() / "model-00002-of-00002.safetensors");
  CHECK_THAT(lost.refusal(),
             ContainsSubstring("model-00002-of-00002.safetensors: is missing (the index lists it"));
  CHECK_THAT(
      Copied("llama").with("model-00001-of-00002.safetensors", "../elsewhere.safetensors", index).refusal(),
      ContainsSubstring("is in no file of this folder"));
  CHECK_THAT(Copied("llama").with("\"weight_map\"", "\"weights\"", index).refusal(),
             ContainsSubstring("weight_map: is missing"));
  CHECK_THAT(Copied("llama").with("{", "[", index).refusal(), ContainsSubstring("not valid JSON"));
}

TEST_CASE("the hub's cache of a model is opened where it lies, by the model's name") {
  const TemporaryFolder cache;
  const fs::path folder = cache / "models--someone--tiny-llama", snapshot = folder / "snapshots" / "0a1b2c";
  fs::create_directories(snapshot);
  fs::create_directories(folder / "refs");
  fs::copy(formats / "llama", snapshot, fs::copy_options::recursive);
  REQUIRE(writeFile(folder / "refs" / "main", "0a1b2c\n"));
  CHECK(isModelDirectory(folder));
  const auto read = readModelDirectory(folder);
  if (!read) FAIL(read.error().message());
  CHECK(read->name == "tiny-llama");
  REQUIRE(writeFile(folder / "refs" / "main", "../../elsewhere"));
  CHECK_FALSE(isModelDirectory(folder));
}

TEST_CASE("a model of another family is kept as one of ours, and computes the same") {
  const TemporaryFolder folder;
  for (const char* name : {"llama_biased",
                           "pythia",
                           "mistral",
                           "bert",
                           "bert_headless",
                           "distilbert_untied",
                           "roberta",
                           "gemma2",
                           "gemma3",
                           "t5",
                           "bart",
                           "llama_yarn",
                           "marian",
                           "bart_distilled",
                           "t5_uneven",
                           "llama_lone",
                           "gemma3_lone",
                           "llama_dora",
                           "gpt_neo",
                           "gptj",
                           "phi",
                           "opt",
                           "opt_narrow",
                           "qwen2_windows",
                           "gemma3_windows",
                           "qwen2_blocks",
                           "t5_odd_buckets"}) {
    INFO(name);
    const auto read = readModelDirectory(formats / name);
    REQUIRE(read);
    REQUIRE(writeModelDirectory(folder / name, read->config, read->parameters, *read->tokenizer, ""));
    const auto again = readModelDirectory(folder / name);
    if (!again) FAIL(again.error().message());
    CHECK(again->config == read->config);
    CHECK(*again->tokenizer == *read->tokenizer);
    const std::vector<int> tokens{1, 2, 3}, source(read->config.isEncoderDecoder() ? 4 : 0, 5);
    LivePass before(std::make_shared<const Transformer>(read->config, read->parameters.copy())),
        after(std::make_shared<const Transformer>(again->config, again->parameters.copy()));
    CHECK((*before.run(tokens, {}, source))["logits"].copy() ==
          (*after.run(tokens, {}, source))["logits"].copy());
  }
}
