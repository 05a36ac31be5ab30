#include "core/train/tasks/text_task.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/random.h"
#include "core/train/tasks/stories.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string& tale() {
  static const std::string text = [] {
    StoryGenerator generator(1, Split::Training);
    std::string corpus;
    while (corpus.size() < 40000) corpus += generator.next().text + "\n";
    return corpus;
  }();
  return text;
}

std::string errorOf(const std::string& text) {
  const auto task = textTask("poem.txt", text, TextTokens::Character, 1, 10);
  return task ? "" : task.error().message();
}

std::string rowOf(const TrainingTask& task, const Batch& batch, int row) {
  const int T = task.recipe().options.positions;
  return task.tokenizer().decode(std::span(batch.tokens).subspan(static_cast<std::size_t>(row * T), T));
}

}  // namespace

TEST_CASE("a text that cannot be learned is refused with the place and the reason") {
  CHECK_THAT(errorOf(""), ContainsSubstring("poem.txt") && ContainsSubstring("empty"));
  CHECK_THAT(errorOf("one\ntwo\n" + std::string(1, '\0') + tale()),
             ContainsSubstring("byte 8, line 3") && ContainsSubstring("is not text"));
  CHECK_THAT(errorOf(tale() + "\n\xC3("), ContainsSubstring("byte " + std::to_string(tale().size() + 1)) &&
                                              ContainsSubstring("\"<C3>\" is not UTF-8"));
  CHECK_THAT(errorOf("a b c"), ContainsSubstring("too short") && ContainsSubstring("129"));
  CHECK_THAT(errorOf("\r"), ContainsSubstring("too short"));
  CHECK_THAT(errorOf(std::string(1280, 'a')), ContainsSubstring("too short"));
  CHECK(errorOf(std::string(1300, 'a')) == "");
  CHECK_THAT(errorOf(std::string(mostTextBytes + 1, 'a')),
             ContainsSubstring("16777217 bytes") && ContainsSubstring("at most 16777216"));
}

TEST_CASE("rows are pieces of the text, of its last tenth where they are held out") {
  // Every place of it is different, so that a row says where it is from.
  std::string text;
  for (int i = 0; text.size() < 30000; ++i) text += std::to_string(mix(static_cast<std::uint64_t>(i))) + " ";
  for (const TextTokens tokens : {TextTokens::Character, TextTokens::BytePairs}) {
    const auto made = textTask("numbers", text, tokens, 3, 10);
    REQUIRE(made);
    const TrainingTask& task = **made;
    const std::size_t cut = text.size() / 10 * 9 + 1;
    const int B = task.recipe().options.sequences, T = task.recipe().options.positions;
    std::size_t least = text.size(), most = 0;
    for (const int number : {1, 2, 3}) {
      const Batch batch = task.batch(number), heldOut = task.heldOut(number);
      REQUIRE(batch.tokens.size() == static_cast<std::size_t>(B * T));
      for (std::size_t i = 0; i < batch.tokens.size(); ++i)
        if (i % static_cast<std::size_t>(T) + 1 < static_cast<std::size_t>(T))
          REQUIRE(batch.targets[i] == batch.tokens[i + 1]);
      for (int row = 0; row < B; ++row) {
        const std::string shown = rowOf(task, batch, row), kept = rowOf(task, heldOut, row);
        REQUIRE(text.find(shown) + shown.size() <= cut);
        REQUIRE(text.find(kept) >= cut);
        REQUIRE(text.find(kept) != std::string::npos);
        least = std::min(least, text.find(shown)), most = std::max(most, text.find(shown));
      }
    }
    CHECK(least < cut / 4);
    CHECK(most > cut / 2);
    CHECK(task.batch(2).tokens == task.batch(2).tokens);
    CHECK(task.batch(2).tokens != task.batch(3).tokens);
    CHECK(task.examples(5).empty());
  }
}

TEST_CASE("every character is a token, however many bytes it has") {
  const std::string text = "größer → ✓ 🎉 “so”\n";
  const BytePairEncoding tokenizer = charactersOf(text);
  CHECK(tokenizer.encodeIds(text).size() == 18);
  CHECK(tokenizer.decode(tokenizer.encodeIds(text)) == text);
  CHECK(tokenizer.tokenLabel(tokenizer.encodeIds("ö")[0]) == "ö");
  // What the text does not have can still be written, byte by byte.
  CHECK(tokenizer.encodeIds("ж").size() == 2);
  CHECK(tokenizer.decode(tokenizer.encodeIds("“ж”")) == "“ж”");
}

TEST_CASE("a text is learned, and its card says from what and how well") {
  const auto task = textTask("tale.txt", tale(), TextTokens::BytePairs, 1, 6);
  REQUIRE(task);
  CHECK((*task)->tokenizer().vocabularySize() > 300);
  const auto other = textTask("tale.txt", tale() + "x", TextTokens::BytePairs, 1, 6);
  CHECK((*task)->recipe().description() != (*other)->recipe().description());
  // A run goes on with the same text under another name, and with no other.
  CHECK((*task)->recipe().description() ==
        (*textTask("renamed.txt", tale(), TextTokens::BytePairs, 1, 6))->recipe().description());
  CHECK((*task)->recipe().description() !=
        (*textTask("tale.txt", tale(), TextTokens::Character, 1, 6))->recipe().description());
  ModelConfig small = (*task)->recipe().config;
  small.layers = 1, small.heads = 2, small.width = 32, small.feedForward = 64;
  const auto recipe = recipeFor(**task, small);
  REQUIRE(recipe);
  TrainingRun run(*task, *recipe, 2);
  const double first = run.advance().loss;
  double last = first;
  while (!run.finished()) last = run.advance().loss;
  CHECK(last < first);
  const std::string card = run.card("a machine", 1) + run.task().measure(run.model(), 2);
  CHECK_THAT(card, ContainsSubstring("train text --file tale.txt --tokenizer bpe") &&
                       ContainsSubstring("per byte of the text"));
}
