// The small models that ship: what each must show, measured anew on texts that neither training nor its card
// has seen.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <filesystem>
#include <map>

#include "core/io/model_directory.h"
#include "core/io/worked_example.h"
#include "core/model/choices.h"
#include "core/model/live_pass.h"
#include "core/train/answers.h"
#include "core/train/tasks/positions_task.h"
#include "core/train/tasks/repeats.h"
#include "core/train/tasks/training_tasks.h"

using namespace glassformer;
using Catch::Matchers::WithinAbs;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t freshSeed = 4711;
const fs::path models = fs::path(SOURCE_FOLDER) / "assets" / "models";

ModelDirectory shipped(const std::string& name) {
  auto directory = readModelDirectory(models / name);
  REQUIRE(directory);
  return *std::move(directory);
}

std::shared_ptr<const Transformer> transformerOf(const ModelDirectory& directory) {
  return std::make_shared<const Transformer>(directory.config, directory.parameters);
}

float highest(const Tensor& scores) { return *std::ranges::max_element(scores.values()); }

// The numbers of a card's rows that begin with "| 24 tokens" and so on, in percent.
std::vector<double> shareByLength(const std::string& card) {
  std::vector<double> shares;
  for (const char* row : {"\n| 24 tokens", "\n| 48 tokens", "\n| 96 tokens"}) {
    const std::size_t at = card.find(row);
    REQUIRE(at != std::string::npos);
    shares.push_back(std::stod(card.substr(card.find("| ", at + 3) + 2)) / 100);
  }
  return shares;
}

}  // namespace

TEST_CASE("induction: attention alone goes on with what it has read, by the two heads it takes") {
  const ModelDirectory directory = shipped("induction");
  CHECK(directory.config.layers == 2);
  CHECK_FALSE(directory.config.hasFeedForward());
  const auto model = transformerOf(directory);
  const auto repeats = findTrainingTask("induction")->make(freshSeed, 1)->examples(300);
  CHECK(measureRepeats(model, *directory.tokenizer, repeats, 1).share() >= 0.98);
  const RepeatHeads heads = measureRepeatHeads(model, *directory.tokenizer, repeats, 1);
  INFO(highest(heads.previousToken) << ", " << highest(heads.induction));
  CHECK(highest(heads.previousToken) >= 0.9f);
  CHECK(highest(heads.induction) >= 0.9f);
  // A head of the first layer feeds one of the second.
  for (int head = 0; head < directory.config.heads; ++head) {
    CHECK(heads.induction(0, head) < 0.1f);
    CHECK(heads.previousToken(1, head) < 0.5f);
  }
}

TEST_CASE("letters says every word of four letters backwards, and reads the letter that comes next") {
  const ModelDirectory directory = shipped("letters");
  CHECK(directory.config.layers == 1);
  CHECK(directory.config.heads == 2);
  CHECK(directory.config.width == 6);
  const auto model = transformerOf(directory);
  std::vector<Example> words;
  double read = 0;
  LivePass pass(model);
  for (int n = 0; n < 256; ++n) {
    std::string word;
    for (int i = 0; i < 4; ++i) word += static_cast<char>('a' + (n >> 2 * i) % 4);
    const std::string backwards(word.rbegin(), word.rend());
    words.push_back({"", word + ">", backwards});
    const auto trace = pass.run(directory.tokenizer->encodeIds(word + ">" + backwards));
    const TensorView pattern = (*trace)["blocks.0.attn.hook_pattern"];
    for (int row = 4; row < 8; ++row)
      read += std::max(pattern(0, row, 7 - row), pattern(1, row, 7 - row)) / (4 * 256);
  }
  CHECK(shareRight(answer(model, *directory.tokenizer, words)) == 1);
  INFO(read);
  CHECK(read >= 0.9);
}

TEST_CASE(
    "linear says every word of four letters backwards, out of two states of three times three numbers") {
  const ModelDirectory directory = shipped("linear");
  CHECK(directory.config.kernel == AttentionKernel::Linear);
  CHECK(directory.config.layers == 1);
  CHECK(directory.config.heads == 2);
  CHECK(directory.config.headWidth() == 3);
  std::vector<Example> words;
  for (int n = 0; n < 256; ++n) {
    std::string word;
    for (int i = 0; i < 4; ++i) word += static_cast<char>('a' + (n >> 2 * i) % 4);
    words.push_back({"", word + ">", {word.rbegin(), word.rend()}});
  }
  CHECK(shareRight(answer(transformerOf(directory), *directory.tokenizer, words)) == 1);
}

TEST_CASE("sort sorts 99.5 % of words it has never seen") {
  const ModelDirectory directory = shipped("sort");
  CHECK(directory.config.stack == Stack::DecoderOnly);
  const auto words = findTrainingTask("sort")->make(freshSeed, 1)->examples(1000);
  const double share = shareRight(answer(transformerOf(directory), *directory.tokenizer, words));
  INFO(share);
  CHECK(share >= 0.995);
}

TEST_CASE("positions: six encodings, alike in all else, reach beyond their training as their cards say") {
  std::map<std::string, std::vector<double>> reached;
  const ModelConfig first = shipped("positions/rotary").config;
  for (const char* name : {"none", "sinusoidal", "learned", "relative", "rotary", "alibi"}) {
    INFO(name);
    const ModelDirectory directory = shipped(std::string("positions/") + name);
    CHECK(directory.config.context >= 96);
    const std::string changed = changedFields(first, directory.config);
    CHECK(changed == (std::string(name) == "rotary" ? "" : std::string("position_embedding_type=") + name));
    const auto shares = extrapolation(transformerOf(directory), *directory.tokenizer, freshSeed, 60, 1);
    const auto told = shareByLength(directory.card);
    for (std::size_t i = 0; i < told.size(); ++i) CHECK_THAT(shares[i], WithinAbs(told[i], 0.05));
    reached[name] = shares;
  }
  // What a lecture says of them, in this small world.
  CHECK(reached["none"][0] < 0.5);
  for (const char* name : {"sinusoidal", "learned", "relative", "rotary", "alibi"})
    CHECK(reached[name][0] > 0.99);
  for (const char* name : {"sinusoidal", "learned", "rotary"}) CHECK(reached[name][2] < 0.5);
  CHECK(reached["alibi"][2] > 0.9);
}

TEST_CASE("every model that ships has a card with its recipe, and all together are small") {
  std::uintmax_t bytes = 0;
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(models)) {
    if (entry.is_regular_file()) bytes += entry.file_size();
    if (!entry.is_directory() || !isModelDirectory(entry.path())) continue;
    INFO(entry.path());
    ++count;
    const auto directory = readModelDirectory(entry.path());
    REQUIRE(directory);
    if (directory->name == workedExampleName) continue;  // its weights are set by hand
    CHECK(directory->card.find("glassformer train ") != std::string::npos);
    CHECK(directory->card.find("--seed ") != std::string::npos);
    CHECK(directory->card.find("## Measured on ") != std::string::npos);
  }
  CHECK(count == 15);
  CHECK(bytes <= 16'000'000);
}
