#include "core/io/model_directory.h"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "core/io/config_file.h"
#include "core/io/files.h"
#include "core/io/parameter_reader.h"
#include "core/io/safetensors.h"
#include "core/model/positional/sinusoidal.h"
#include "core/text/byte_pair_training.h"
#include "core/text/characters.h"
#include "core/text/tokenizer_files.h"
#include "core/text/words.h"
#include "tests/core/io/sixteen_bit_file.h"
#include "tests/core/io/temporary_folder.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

ModelConfig bytesConfig() {
  return {.layers = 2, .heads = 2, .width = 4, .feedForward = 6, .vocabulary = 260, .context = 5};
}

const BytePairEncoding& tokenizer() {
  static const BytePairEncoding encoding = trainBytePairEncoding("the animal the street the the the", 260);
  return encoding;
}

Parameters counted(const ModelConfig& config) {
  Parameters parameters(parameterSpecs(config));
  float next = 0;
  for (float& value : parameters.values()) value = next += 0.25f;
  return parameters;
}

void write(const TemporaryFolder& folder, const ModelConfig& config = bytesConfig()) {
  REQUIRE(writeModelDirectory(folder.path(), config, counted(config), tokenizer(), "# A card\n"));
}

// Writes weights of our own choice into the folder; `change` sees every tensor before.
void writeWeights(const TemporaryFolder& folder, const std::function<void(std::vector<NamedTensor>&)>& change,
                  const std::string& prefix = "") {
  const ModelConfig config = bytesConfig();
  const Parameters parameters = counted(config);
  std::vector<NamedTensor> tensors;
  for (int i = 0; i < parameters.count(); ++i)
    tensors.push_back({prefix + parameters.spec(i).name, parameters.view(i)});
  change(tensors);
  REQUIRE(writeSafetensors(folder / "model.safetensors", tensors));
}

NamedTensor& tensorNamed(std::vector<NamedTensor>& tensors, const std::string& name) {
  for (NamedTensor& tensor : tensors)
    if (tensor.name == name) return tensor;
  FAIL("no tensor " << name);
  return tensors[0];
}

void replaceIn(const std::filesystem::path& file, std::string_view from, std::string_view to) {
  std::string content = *readTextFile(file);
  const std::size_t at = content.find(from);
  REQUIRE(at != std::string::npos);
  REQUIRE(writeFile(file, content.replace(at, from.size(), to)));
}

std::string refusal(const std::filesystem::path& folder) {
  const auto model = readModelDirectory(folder);
  return model ? "accepted" : model.error().message();
}
std::string refusal(const TemporaryFolder& folder) { return refusal(folder.path()); }

void checkSame(const Parameters& a, const Parameters& b) {
  REQUIRE(a.count() == b.count());
  for (int i = 0; i < a.count(); ++i) {
    CHECK(a.spec(i).name == b.spec(i).name);
    CHECK(a.view(i).copy() == b.view(i).copy());
  }
}

}  // namespace

TEST_CASE("a model keeps its tokenizer, of whatever kind it is") {
  const Words words = *Words::create({"<unk>", "We", "wash", "our", "cats"});
  const Characters letters = *Characters::create({"<unk>", "a", "b", " "});
  const BytePairEncoding& pairs = tokenizer();
  for (const Tokenizer* each : std::vector<const Tokenizer*>{&words, &letters, &pairs}) {
    INFO(each->kind().id);
    const TemporaryFolder folder;
    const ModelConfig config = bytesConfig();
    REQUIRE(writeModelDirectory(folder.path(), config, counted(config), *each, ""));
    CHECK(std::filesystem::exists(folder / "merges.txt") == (each == &pairs));
    const auto read = readModelDirectory(folder.path());
    REQUIRE(read);
    CHECK(*read->tokenizer == *each);
  }
}

TEST_CASE("a model directory gives back the model it was written from") {
  for (const bool tied : {true, false})
    for (const auto* positions : {&learnedPositions(), &sinusoidalPositions()}) {
      const TemporaryFolder folder;
      ModelConfig config = bytesConfig();
      config.tiedUnembedding = tied, config.positions = positions;
      write(folder, config);
      const auto model = readModelDirectory(folder.path());
      REQUIRE(model);
      CHECK(model->config == config);
      CHECK(*model->tokenizer == tokenizer());
      CHECK(model->card == "# A card\n");
      CHECK(model->name == folder.path().filename().string());
      checkSame(model->parameters, counted(config));
    }
}

TEST_CASE("a model that needs more memory than there is is refused with the numbers") {
  const TemporaryFolder folder;
  write(folder);
  const auto family = readFamilyConfig(*readTextFile(folder / "config.json"), "config.json");
  const auto stored = StoredModel::open(folder.path());
  REQUIRE((family && stored));
  const auto read = ParameterReader(*stored, *family).read(noProgress, 1e3);
  REQUIRE_FALSE(read);
  CHECK_THAT(read.error().message(),
             ContainsSubstring("model.safetensors: takes 0.0 MB; this machine has 0.0 MB"));
}

TEST_CASE("names are read with and without their prefix, mask buffers are passed over") {
  for (const char* prefix : {"", "transformer."}) {
    const TemporaryFolder folder;
    write(folder);
    const Tensor mask({2, 2});
    writeWeights(
        folder,
        [&](auto& tensors) {
          tensors.push_back({std::string(prefix) + "h.0.attn.bias", mask.view()});
          tensors.push_back({std::string(prefix) + "h.1.attn.masked_bias", mask.view()});
          tensors.push_back({"lm_head.weight", mask.view()});  // saved although tied
        },
        prefix);
    const auto model = readModelDirectory(folder.path());
    REQUIRE(refusal(folder) == "accepted");
    checkSame(model->parameters, counted(bytesConfig()));
  }
}

TEST_CASE("half-precision weights are converted") {
  const TemporaryFolder folder;
  write(folder);
  {
    // Multiples of 0.25 below 64 fit into eight bits of fraction.
    const auto stored = StoredTensors::open(folder / "model.safetensors");
    REQUIRE(writeSixteenBits(folder / "model.safetensors", stored->tensors(), "BF16"));
  }
  const auto model = readModelDirectory(folder.path());
  REQUIRE(refusal(folder) == "accepted");
  const Parameters expected = counted(bytesConfig());
  for (int i = 0; i < expected.count(); ++i) {
    const auto values = expected.view(i).copy(), read = model->parameters.view(i).copy();
    for (std::size_t j = 0; j < values.size(); ++j) CHECK(std::abs(read[j] - values[j]) <= values[j] / 128);
  }
}

TEST_CASE("16 bits that are not finite are refused with their place, wherever they stand") {
  for (const char* type : {"BF16", "F16"})
    for (const auto& [name, rows, columns] :
         {std::tuple("wte.weight", 260, 4), {"h.1.mlp.c_fc.weight", 4, 6}, {"h.0.ln_1.bias", 1, 4}}) {
      const TemporaryFolder folder;
      write(folder);
      Tensor changed = rows == 1 ? Tensor({columns}) : Tensor({rows, columns});
      changed.values().back() = std::numeric_limits<float>::infinity();
      writeWeights(folder,
                   [&, at = name](auto& tensors) { tensorNamed(tensors, at).values = changed.view(); });
      {
        const auto stored = StoredTensors::open(folder / "model.safetensors");
        REQUIRE(writeSixteenBits(folder / "model.safetensors", stored->tensors(), type));
      }
      const std::string place = rows == 1 ? std::to_string(columns - 1)
                                          : std::to_string(rows - 1) + ", " + std::to_string(columns - 1);
      CHECK_THAT(refusal(folder), ContainsSubstring("tensor " + std::string(name) +
                                                    ": is not finite at index [" + place + "]: inf"));
    }
}

TEST_CASE("weights that are not finite are refused with their place") {
  const TemporaryFolder folder;
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    write(folder);
    Tensor changed({4, 6});
    changed(2, 3) = bad;
    writeWeights(folder,
                 [&](auto& tensors) { tensorNamed(tensors, "h.1.mlp.c_fc.weight").values = changed.view(); });
    CHECK_THAT(refusal(folder),
               ContainsSubstring("tensor h.1.mlp.c_fc.weight: is not finite at index [2, 3]"));
  }
}

TEST_CASE("weights that do not fit the config are refused with the tensor") {
  const TemporaryFolder folder;
  write(folder);
  writeWeights(folder, [](auto& tensors) { tensorNamed(tensors, "h.0.ln_1.bias").name = "h.0.ln_1.bios"; });
  CHECK_THAT(refusal(folder), ContainsSubstring("the tensor h.0.ln_1.bias is missing"));
  const Tensor turned({6, 4});
  writeWeights(folder,
               [&](auto& tensors) { tensorNamed(tensors, "h.0.mlp.c_fc.weight").values = turned.view(); });
  CHECK_THAT(refusal(folder),
             ContainsSubstring("h.0.mlp.c_fc.weight: has the shape [6, 4], config.json asks for [4, 6]"));
  write(folder);
  replaceIn(folder / "config.json", "\"n_layer\": 2", "\"n_layer\": 1");
  CHECK_THAT(refusal(folder), ContainsSubstring("has weights of layer 1, but config.json counts 1"));
  write(folder);
  replaceIn(folder / "config.json", "\"n_layer\": 2", "\"n_layer\": 3");
  CHECK_THAT(refusal(folder), ContainsSubstring("the tensor h.2.ln_1.weight is missing"));
  write(folder);
  replaceIn(folder / "config.json", "\"vocab_size\": 260", "\"vocab_size\": 259");
  CHECK_THAT(refusal(folder), ContainsSubstring("vocab_size is 259, but the tokenizer has 260 tokens"));
}

TEST_CASE("weights cut off anywhere are refused") {
  const TemporaryFolder folder;
  write(folder);
  const std::string whole = *readTextFile(folder / "model.safetensors");
  for (std::size_t length = 0; length < whole.size(); length += length < 80 ? 1 : 97) {
    REQUIRE(writeFile(folder / "model.safetensors", whole.substr(0, length)));
    REQUIRE_THAT(refusal(folder), ContainsSubstring("model.safetensors"));
  }
}

TEST_CASE("missing files are named") {
  const auto without = [](std::initializer_list<const char*> files) {
    const TemporaryFolder folder;
    write(folder);
    for (const char* file : files) std::filesystem::remove(folder / file);
    return refusal(folder);
  };
  CHECK_THAT(without({"config.json"}), ContainsSubstring("config.json is missing"));
  CHECK_THAT(without({"model.safetensors"}), ContainsSubstring("model.safetensors: is missing"));
  CHECK_THAT(without({"tokenizer.json", "merges.txt"}), ContainsSubstring("vocab.json: is there alone"));
  CHECK(without({"tokenizer.json"}) == "accepted");
  CHECK(without({"vocab.json", "merges.txt", "README.md"}) == "accepted");
}

TEST_CASE("a vocab.txt of whole words cuts texts at spaces") {
  const TemporaryFolder folder;
  write(folder);
  for (const char* file : {"tokenizer.json", "vocab.json", "merges.txt"})
    std::filesystem::remove(folder / file);
  REQUIRE(writeFile(folder / "vocab.txt", "a\nb\n=\nyes\n"));
  const auto model = readModelDirectory(folder.path());
  REQUIRE(model);
  CHECK(model->tokenizer->encodeIds("b a = yes no") == std::vector{1, 0, 2, 3});
  REQUIRE(writeFile(folder / "vocab.txt", "a\nb\n<unk>\n"));
  CHECK(readModelDirectory(folder.path())->tokenizer->encodeIds("b no a") == std::vector{1, 2, 0});
}

TEST_CASE("without a tokenizer texts are the ids of their tokens") {
  const TemporaryFolder folder;
  write(folder);
  for (const char* file : {"tokenizer.json", "vocab.json", "merges.txt"})
    std::filesystem::remove(folder / file);
  const auto model = readModelDirectory(folder.path());
  REQUIRE(model);
  CHECK(model->tokenizer->vocabularySize() == model->config.vocabulary);
  CHECK(model->tokenizer->encodeIds("3 0  12") == std::vector{3, 0, 12});
  CHECK(model->tokenizer->encodeIds("3 what 999999 12") == std::vector{3, 12});
  CHECK(model->tokenizer->decode(std::vector{3, 0, 12}) == "3 0 12");
  CHECK(model->tokenizer->encodeIds("3" + model->tokenizer->writtenBehind(12)) == std::vector{3, 12});
}

TEST_CASE("not mine is told from mine, but damaged") {
  const TemporaryFolder folder;
  CHECK_FALSE(isModelDirectory(folder.path()));
  CHECK_FALSE(isModelDirectory(folder / "missing"));
  write(folder);
  CHECK(isModelDirectory(folder.path()));
  replaceIn(folder / "config.json", "\"gpt2\"", "\"mamba\"");
  CHECK_FALSE(isModelDirectory(folder.path()));
  CHECK_THAT(refusal(folder), ContainsSubstring("model_type"));
  REQUIRE(writeFile(folder / "config.json", "{"));
  CHECK(isModelDirectory(folder.path()));
  CHECK_THAT(refusal(folder), ContainsSubstring("not valid JSON"));
}

#ifndef _WIN32  // whose links take rights that programs lack
TEST_CASE("a folder that cannot be looked into says so, and is not called no model") {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("circle", folder / "circle");
  CHECK_THAT(refusal(folder / "circle"),
             ContainsSubstring("cannot be read: ") && !ContainsSubstring("config.json is missing"));
}
#endif

TEST_CASE("where nothing can be written, the path is named") {
  const TemporaryFolder folder;
  REQUIRE(writeFile(folder / "file", "in the way"));
  const Status status =
      writeModelDirectory(folder / "file", bytesConfig(), counted(bytesConfig()), tokenizer(), "");
  REQUIRE_FALSE(status);
  CHECK(status.error().where == (folder / "file").string());
}
