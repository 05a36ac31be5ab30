// The model that ships: how many masked words it finds, beside the best that anyone could who knew the
// grammar.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "core/io/model_directory.h"
#include "core/model/live_pass.h"
#include "core/train/tasks/fill/fill_evaluation.h"
#include "core/train/tasks/fill/filler.h"

using namespace glassformer;

namespace {

const std::string folder = std::string(SOURCE_FOLDER) + "/assets/models/fill";

const ModelDirectory& fillDirectory() {
  static const auto read = readModelDirectory(folder);
  REQUIRE(read);
  return *read;
}

}  // namespace

TEST_CASE("fill finds masked words within 3 points of the best possible", "[accuracy]") {
  const Tokenizer& tokenizer = *fillDirectory().tokenizer;
  Filler filler(std::make_shared<const Transformer>(fillDirectory().config, fillDirectory().parameters),
                tokenizer);
  const auto words = heldOutMaskedWords(tokenizer, 4711, 2000, fillDirectory().config.context);
  const FillAccuracy reached =
      measureFilling([&](std::span<const int> tokens) { return filler.filled(tokens); }, words);
  const BestFilling best = measureBestFilling(tokenizer, words);
  INFO(reached.share() << " of " << best.accuracy.share());
  CHECK(reached.share() >= best.accuracy.share() - 0.03);
  CHECK(reached.share() <= best.expected + 0.02);  // more would mean that the answers leak
}

TEST_CASE("fill knows what it was from what stands behind the gap") {
  const Tokenizer& tokenizer = *fillDirectory().tokenizer;
  Filler filler(std::make_shared<const Transformer>(fillDirectory().config, fillDirectory().parameters),
                tokenizer);
  const auto answer = [&](const std::string& text) {
    std::vector<int> tokens{tokenizer.endOfText()};
    for (const int id : tokenizer.encodeIds(text)) tokens.push_back(id);
    return tokenizer.decode(filler.filled(tokens));
  };
  CHECK(answer(
            "The dog didn't cross the river because it was too deep. What was too deep? The <|mask|> was too "
            "deep.") == " river");
  CHECK(
      answer(
          "The dog didn't cross the river because it was too tired. What was too tired? The <|mask|> was too "
          "tired.") == " dog");
  std::uintmax_t bytes = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) bytes += file.file_size();
  CHECK(bytes <= 5'000'000);
}
