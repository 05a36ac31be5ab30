#include "core/train/tasks/translation/translation_evaluation.h"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <map>

#include "core/train/tasks/translation/translation_batches.h"

using namespace glassformer;
using Catch::Approx;

namespace {

const BytePairEncoding& tokenizer() {
  static const BytePairEncoding encoding = trainTranslationTokenizer(1, 700);
  return encoding;
}

}  // namespace

TEST_CASE("held-out pairs are held out, and of the kind asked for") {
  for (const SentencePair& pair : heldOutPairs(1, 200)) CHECK(pair.heldOut);
  for (const SentencePair& pair : heldOutPairs(1, 20, SentenceKind::Hearsay))
    CHECK(pair.kind == SentenceKind::Hearsay);
}

TEST_CASE("a translation is exact or not") {
  const auto pairs = heldOutPairs(1, 1000);
  std::map<std::string, const SentencePair*> byEnglish;
  for (const SentencePair& pair : pairs) byEnglish[pair.english] = &pair;
  const auto knowing = [&](std::span<const int> source) {
    return tokenizer().encodeIds(byEnglish.at(tokenizer().decode(source))->mostProbable);
  };
  const TranslationExactness all = measureExactness(knowing, tokenizer(), pairs);
  CHECK(all.all().sentences == 1000);
  CHECK(all.all().value() == 1);
  CHECK(all.misses.empty());

  // What the corpus itself says is right in all settled sentences and in 40 % of the others.
  const auto someone = [&](std::span<const int> source) {
    return tokenizer().encodeIds(byEnglish.at(tokenizer().decode(source))->german);
  };
  const TranslationExactness some = measureExactness(someone, tokenizer(), pairs);
  CHECK(some.byKind.at(SentenceKind::Settled).value() == 1);
  CHECK(some.byKind.at(SentenceKind::Hearsay).value() < 0.8);
  REQUIRE_FALSE(some.misses.empty());
  CHECK(some.misses.front().expected.starts_with("Man sagt"));
  CHECK(some.misses.front().translated.starts_with("Die Leute"));
}

TEST_CASE("tokens are aligned as the words are that they lie in") {
  for (const SentencePair& pair : heldOutPairs(2, 300)) {
    const Encoding english = tokenizer().encode(pair.english), german = tokenizer().encode(pair.german);
    const auto aligned = alignedTokens(pair, tokenizer());
    REQUIRE(aligned.size() == german.size());
    for (std::size_t g = 0; g < german.size(); ++g) {
      const bool sign =
          std::string_view(".,? ").find(tokenizer().tokenBytes(german[g].id)) != std::string_view::npos;
      REQUIRE(aligned[g].empty() == sign);
      for (const int e : aligned[g]) {
        REQUIRE(e < static_cast<int>(english.size()));
        const std::string& bytes = tokenizer().tokenBytes(english[static_cast<std::size_t>(e)].id);
        REQUIRE((bytes != "." && bytes != "?"));
      }
    }
  }
}

TEST_CASE("attention that looks at the right words agrees, whichever row it is read from") {
  const auto pairs = heldOutPairs(3, 100);
  for (const AlignmentRow row : {AlignmentRow::Predicting, AlignmentRow::Reading}) {
    std::size_t next = 0;
    const auto right = [&](std::span<const int> source, std::span<const int> tokens) {
      const auto aligned = alignedTokens(pairs[next++], tokenizer());
      Tensor attention({static_cast<int>(tokens.size()), static_cast<int>(source.size())});
      for (std::size_t g = 0; g < aligned.size(); ++g)
        if (!aligned[g].empty())
          attention(static_cast<int>(g) + (row == AlignmentRow::Reading), aligned[g].back()) = 1;
      return attention;
    };
    const AlignmentAgreement agreement = measureAlignment(right, row, tokenizer(), pairs);
    CHECK(agreement.tokens > 500);
    CHECK(agreement.share() == 1);
  }
}

TEST_CASE("attention that always looks at the first word agrees where that is right") {
  SentencePair pair{.english = "Anna sings.", .german = "Anna singt."};
  pair.englishWords = {{0, 4}, {5, 10}};
  pair.germanWords = {{0, 4}, {5, 10}};
  pair.sources = {{0}, {1}};
  const auto first = [](std::span<const int> source, std::span<const int> tokens) {
    Tensor attention({static_cast<int>(tokens.size()), static_cast<int>(source.size())});
    for (int t = 0; t < static_cast<int>(tokens.size()); ++t) attention(t, 0) = 1;
    return attention;
  };
  const int singt = static_cast<int>(tokenizer().encodeIds(" singt").size()),
            anna = static_cast<int>(tokenizer().encodeIds("Anna").size());
  const auto agreement = measureAlignment(first, AlignmentRow::Predicting, tokenizer(), std::span(&pair, 1));
  CHECK(agreement.tokens == anna + singt);
  CHECK(agreement.right == anna);
}
