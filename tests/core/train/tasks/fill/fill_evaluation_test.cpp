#include "core/train/tasks/fill/fill_evaluation.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "core/train/tasks/fill/fill_batches.h"

using namespace glassformer;
using Catch::Approx;

namespace {

const BytePairEncoding& wideTokenizer() {
  static const BytePairEncoding encoding = trainFillTokenizer(1, 1024);
  return encoding;
}

MaskedWord maskedIn(const std::string& before, const std::string& word, const std::string& after) {
  MaskedWord masked{.text = before + word + after, .word = {before.size(), before.size() + word.size()}};
  masked.tokens =
      wideTokenizer().encodeIds("<|endoftext|>" + before.substr(0, before.size() - 1) + "<|mask|>" + after);
  masked.position =
      static_cast<int>(std::ranges::find(masked.tokens, wideTokenizer().mask()) - masked.tokens.begin());
  masked.answer = wideTokenizer().find(" " + word);
  return masked;
}

}  // namespace

TEST_CASE("a word that the story says again is certain, one of many is as probable as they are many") {
  const std::string story =
      " day Mia found a blue ball in the grass. She gave it to Ben. Soon Ben gave it to Tom. "
      "Who had the ball now? It was Tom.";
  const BestGuess certain = bestGuess(
      wideTokenizer(), maskedIn("One sunny day Mia found a blue ball in the grass. She gave it to ", "Ben",
                                ". Soon Ben gave it to Tom. Who had the ball now? It was Tom."));
  CHECK(certain.token == wideTokenizer().find(" Ben"));
  CHECK(certain.probability == Approx(1));
  const BestGuess weather = bestGuess(wideTokenizer(), maskedIn("One ", "sunny", story));
  CHECK(weather.probability == Approx(1.0 / 6));
}

TEST_CASE("the best that can be reached on masked words, and what guesses reach", "[accuracy]") {
  const auto words = heldOutMaskedWords(wideTokenizer(), 1000, 400, 128);
  const BestFilling best = measureBestFilling(wideTokenizer(), words);
  INFO("best possible " << best.accuracy.share() << ", expected " << best.expected);
  CHECK(best.expected > 0.87);
  CHECK(best.expected < 0.93);
  CHECK(best.accuracy.share() == Approx(best.expected).margin(0.05));

  std::size_t next = 0;
  const FillIn knowing = [&](std::span<const int>) { return std::vector{words[next++].answer}; };
  CHECK(measureFilling(knowing, words).share() == 1);
  next = 0;
  const FillIn ideal = [&](std::span<const int>) {
    return std::vector{bestGuess(wideTokenizer(), words[next++]).token};
  };
  CHECK(measureFilling(ideal, words).right == best.accuracy.right);
  const FillIn the = [&](std::span<const int>) { return std::vector{wideTokenizer().find(" the")}; };
  CHECK(measureFilling(the, words).share() < 0.3);
}
