// The model that ships: what it writes, word for word.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "core/decode/sampling.h"
#include "core/io/model_directory.h"
#include "core/train/tasks/stories_evaluation.h"

using namespace glassformer;

namespace {

const ModelDirectory& stories() {
  static const auto storiesDirectory =
      readModelDirectory(std::string(SOURCE_FOLDER) + "/assets/models/stories");
  REQUIRE(storiesDirectory);
  return *storiesDirectory;
}

std::shared_ptr<const Transformer> transformer() {
  return std::make_shared<const Transformer>(stories().config, stories().parameters);
}

std::string greedy(const std::string& prompt) {
  LivePass pass(transformer());
  const Tokenizer& tokenizer = *stories().tokenizer;
  const auto tokens = generate(nextTokenLogits(pass), tokenizer.encodeIds(prompt), 24, {.greedy = true},
                               stories().config.context, tokenizer.endOfText());
  return tokenizer.decode(tokens);
}

}  // namespace

TEST_CASE("stories continues three prompts greedily as it always has") {
  CHECK(greedy("The animal didn't cross the street because it was too") ==
        " wide. So the animal waited for help. What was too wide? The street was too wide.<|endoftext|>");
  CHECK(greedy("Once there was a") ==
        " girl called Mia. She wrote some words on a leaf: pa pa red. She told Mia: pa pa red.");
  CHECK(greedy("The wind blew and sang: la mi ko. Then everyone sang:") ==
        " la mi ko. The frog laughed and laughed.<|endoftext|>");
}

TEST_CASE("stories reaches on held-out text what its card says") {
  const StoriesMetrics metrics = evaluateStories(transformer(), *stories().tokenizer, {60, 40, 8}, 4711);
  CHECK(metrics.excess() < 0.08);  // a small sample of what the card measures on 500 stories
  for (const auto& [kind, answers] : metrics.answers) {
    INFO("kind " << static_cast<int>(kind) << ": " << answers.right << " of " << answers.asked);
    CHECK(answers.asked > 3);
    CHECK(answers.share() >= 0.95);
  }
  CHECK(metrics.reading.at(QuestionKind::WhatWasToo).score >= 0.9);
  for (const auto& [kind, head] : metrics.reading) {
    INFO("kind " << static_cast<int>(kind) << ": " << head.layer << "." << head.head << " " << head.score);
    CHECK(head.score >= 0.95);
    CHECK(head.attention > 0.5);
  }
  CHECK(metrics.previousToken.score >= 0.4);
  CHECK(metrics.induction.score >= 0.65);
  std::uintmax_t bytes = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(SOURCE_FOLDER) + "/assets/models/stories"))
    bytes += file.file_size();
  CHECK(bytes < 6'000'000);
}
