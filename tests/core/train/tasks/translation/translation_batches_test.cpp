#include "core/train/tasks/translation/translation_batches.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>

#include "core/tensor/operations/loss.h"
#include "core/text/pre_tokenizer.h"
#include "core/train/tasks/translation/translations.h"

using namespace glassformer;

namespace {

const BytePairEncoding& tokenizer() {
  static const BytePairEncoding encoding = trainTranslationTokenizer(1, 1280);
  return encoding;
}

}  // namespace

TEST_CASE("a translation batch depends on seed and step alone") {
  const TranslationBatches batches(tokenizer(), 1, 40, 40), other(tokenizer(), 2, 40, 40);
  CHECK(batches.batch(7, 8).source == batches.batch(7, 8).source);
  CHECK(batches.batch(7, 8).targets == batches.batch(7, 8).targets);
  CHECK(batches.batch(7, 8).source != batches.batch(8, 8).source);
  CHECK(batches.batch(7, 8).source != other.batch(7, 8).source);
}

TEST_CASE("rows are filled up right, and the targets are what comes next") {
  constexpr int B = 32, S = 34, T = 36;
  const TranslationBatches batches(tokenizer(), 1, S, T);
  const int end = tokenizer().endOfText();
  std::map<std::string, std::string> seen;
  for (int step = 0; step < 20; ++step) {
    const Batch batch = batches.batch(step, B);
    REQUIRE(batch.source.size() == B * S);
    REQUIRE(batch.sourceLengths.size() == B);
    REQUIRE(batch.tokens.size() == B * T);
    REQUIRE(batch.targets.size() == B * T);
    for (std::size_t b = 0; b < B; ++b) {
      const std::span source(&batch.source[b * S], S), tokens(&batch.tokens[b * T], T),
          targets(&batch.targets[b * T], T);
      const auto length = static_cast<std::size_t>(batch.sourceLengths[b]);
      REQUIRE(std::ranges::count(source.first(length), end) == 0);
      REQUIRE(std::ranges::count(source.subspan(length), end) == static_cast<int>(S - length));
      REQUIRE(tokens[0] == end);
      const auto last = static_cast<std::size_t>(std::ranges::find(targets, end) - targets.begin());
      REQUIRE(last < T);
      for (std::size_t t = 0; t < T; ++t) {
        if (t < last) REQUIRE(targets[t] == tokens[t + 1]);
        if (t > last) REQUIRE(targets[t] == Targets::none);
        if (t > last) REQUIRE(tokens[t] == end);
      }
      seen[tokenizer().decode(source.first(length))] = tokenizer().decode(targets.first(last));
    }
  }
  CHECK(seen.size() > 600);
  for (const auto& [english, german] : seen) {
    CHECK((english.ends_with('.') || english.ends_with('?')));
    CHECK(german.back() == english.back());
  }
}

TEST_CASE("common words of both languages are one token each, and any text can be read") {
  std::map<std::string, int> counts;
  TranslationGenerator generator(3, Split::Training);
  int pieces = 0, single = 0;
  for (int i = 0; i < 5000; ++i) {
    const SentencePair pair = generator.next();
    for (const std::string* text : {&pair.english, &pair.german})
      for (const std::string_view piece : splitIntoPieces(*text)) {
        ++counts[std::string(piece)];
        ++pieces;
        single += tokenizer().encodeIds(piece).size() == 1;
      }
  }
  CHECK(single > 0.8 * pieces);
  std::vector<std::pair<int, std::string>> common;
  for (const auto& [piece, count] : counts) common.push_back({count, piece});
  std::ranges::sort(common, std::greater{});
  for (std::size_t i = 0; i < 200; ++i) {
    INFO(common[i].second);
    CHECK(tokenizer().encodeIds(common[i].second).size() == 1);
  }
  const std::string unknown = "Zürich & Ōsaka: 42 zebras!";
  CHECK(tokenizer().decode(tokenizer().encodeIds(unknown)) == unknown);
}

TEST_CASE("a table of pieces encodes as its tokenizer does") {
  TranslationGenerator generator(3, Split::Training);
  const PieceTable table(tokenizer(), "Anna kauft das Buch. Tom schläft.");
  for (int i = 0; i < 300; ++i) {
    const SentencePair pair = generator.next();
    REQUIRE(table.encodeIds(pair.german) == tokenizer().encodeIds(pair.german));
  }
}
