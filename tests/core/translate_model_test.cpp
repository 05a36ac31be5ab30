// The model that ships: what it translates, word for word, and where its decoder looks.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "core/io/files.h"
#include "core/io/model_directory.h"
#include "core/train/tasks/translation/translation_evaluation.h"
#include "core/train/tasks/translation/translator.h"

using namespace glassformer;

namespace {

const ModelDirectory& translateDirectory() {
  static const auto read = readModelDirectory(std::string(SOURCE_FOLDER) + "/assets/models/translate");
  REQUIRE(read);
  return *read;
}

Translator makeTranslator() {
  return {std::make_shared<const Transformer>(translateDirectory().config, translateDirectory().parameters),
          *translateDirectory().tokenizer};
}

std::string said(Translator& translator, const std::string& english, int width = 4) {
  const Tokenizer& tokenizer = *translateDirectory().tokenizer;
  return tokenizer.decode(translator.translate(tokenizer.encodeIds(english), width));
}

}  // namespace

TEST_CASE("translate puts the words where German has them") {
  Translator translator = makeTranslator();
  CHECK(said(translator, "Anna says that he has opened the window.") ==
        "Anna sagt, dass er das Fenster aufgemacht hat.");
  CHECK(said(translator, "A bird jumps over the heavy bench.") == "Ein Vogel springt über die schwere Bank.");
}

TEST_CASE("hearsay misleads greedy decoding, and a beam of 4 finds the most probable sentence") {
  Translator translator = makeTranslator();
  const std::string english = "People say that every old girl knows her.";
  CHECK(said(translator, english, 1).starts_with("Die Leute"));
  CHECK(said(translator, english, 4) == "Man sagt, dass jedes alte Mädchen sie kennt.");
}

TEST_CASE("translate chooses the gender of what it stands for") {
  Translator translator = makeTranslator();
  CHECK(said(translator, "The animal didn't cross the street because it was too tired.") ==
        "Das Tier überquerte die Straße nicht, weil es zu müde war.");
  CHECK(said(translator, "The animal didn't cross the street because it was too wide.") ==
        "Das Tier überquerte die Straße nicht, weil sie zu breit war.");
  CHECK(said(translator, "The dog did not cross the street because it was too tired.") ==
        "Der Hund überquerte die Straße nicht, weil er zu müde war.");
}

TEST_CASE("the encoder head that the card names looks from it at what it stands for", "[accuracy]") {
  Translator translator = makeTranslator();
  const Tokenizer& tokenizer = *translateDirectory().tokenizer;
  const auto pairs = heldOutReferences(4712, 120);
  const auto pronouns = measurePronouns(
      [&](std::span<const int> source) { return translator.translate(source, 1); }, tokenizer, pairs);
  CHECK(pronouns.share() >= 0.98);
  const auto heads = measureReferenceHeads(
      [&](std::span<const int> source) { return translator.encoderAttention(source); }, tokenizer, pairs);
  const auto best = std::ranges::max_element(heads, {}, &ReferenceHead::share);
  CHECK(best->share() >= 0.95);
  const auto card = readTextFile(std::string(SOURCE_FOLDER) + "/assets/models/translate/README.md", 1 << 16);
  REQUIRE(card);
  CHECK(card->find("encoder head " + std::to_string(best->layer) + "." + std::to_string(best->head) + " |") !=
        std::string::npos);
}

TEST_CASE("translate reaches on held-out sentences what its card says", "[accuracy]") {
  Translator translator = makeTranslator();
  const auto pairs = heldOutPairs(4711, 120);
  const auto exact =
      measureExactness([&](std::span<const int> source) { return translator.translate(source, 4); },
                       *translateDirectory().tokenizer, pairs);
  CHECK(exact.all().value() >= 0.93);  // a small sample of what the card measures on 1,000 sentences
  const auto aligned = measureAlignment(
      [&](std::span<const int> source, std::span<const int> tokens) {
        return translator.attention(translateDirectory().config.layers - 1, source, tokens);
      },
      AlignmentRow::Predicting, *translateDirectory().tokenizer, pairs);
  CHECK(aligned.share() >= 0.85);
  std::uintmax_t bytes = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(SOURCE_FOLDER) + "/assets/models/translate"))
    bytes += file.file_size();
  CHECK(bytes < 5'000'000);
}
