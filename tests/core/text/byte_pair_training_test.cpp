#include "core/text/byte_pair_training.h"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "core/random.h"
#include "core/text/pre_tokenizer.h"

using namespace glassformer;

namespace {
std::vector<std::string> mergeNames(const BytePairEncoding& encoding) {
  std::vector<std::string> names;
  for (const auto& [left, right] : encoding.merges())
    names.push_back(encoding.tokenBytes(left) + "+" + encoding.tokenBytes(right));
  return names;
}
std::string repeated(std::string_view word, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += word;
  return text;
}

std::string randomLetters(int count, int alphabet, std::uint64_t seed) {
  Random random(seed);
  std::string text;
  for (int i = 0; i < count; ++i) text += static_cast<char>('a' + random.below(alphabet));
  return text;
}

// The same as one reads it in Sennrich et al. 2016: everything is counted again before every merge.
std::vector<std::string> slowMerges(const std::string& corpus, std::size_t merges) {
  std::vector<std::vector<std::string>> words;
  for (std::string_view piece : splitIntoPieces(corpus)) {
    words.emplace_back();
    for (const char byte : piece) words.back().emplace_back(1, byte);
  }
  std::vector<std::string> names;
  std::map<std::string, bool> made;
  while (names.size() < merges) {
    std::map<std::pair<std::string, std::string>, int> counts;
    for (const auto& word : words)
      for (std::size_t i = 0; i + 1 < word.size(); ++i) ++counts[{word[i], word[i + 1]}];
    std::pair<std::string, std::string> best;
    int most = 1;
    for (const auto& [pair, count] : counts)
      if (count > most && !made[pair.first + pair.second]) best = pair, most = count;
    if (most == 1) break;
    names.push_back(best.first + "+" + best.second);
    made[best.first + best.second] = true;
    for (auto& word : words)
      for (std::size_t i = 0; i + 1 < word.size(); ++i)
        if (word[i] == best.first && word[i + 1] == best.second)
          word[i] += word[i + 1], word.erase(word.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  return names;
}
}  // namespace

// The corpus of Sennrich et al. 2016: low 5, lower 2, newest 6, widest 3; here with the space in front of
// each word. Pairs at the start: es 9, st 9, we 8, " l" lo ow 7, " n" ne ew 6, " w" wi id de 3, er 2.
TEST_CASE("training on low, lower, newest, widest merges what one merges by hand") {
  const std::string corpus =
      repeated(" low", 5) + repeated(" lower", 2) + repeated(" newest", 6) + repeated(" widest", 3);
  const BytePairEncoding encoding = trainBytePairEncoding(corpus, 1000);
  CHECK(mergeNames(encoding) == std::vector<std::string>{"e+s", "es+t", " +l", " l+o", " lo+w", " +n", " n+e",
                                                         " ne+w", " new+est", " +w", " w+i", " wi+d",
                                                         " wid+est", " low+e", " lowe+r"});
  CHECK(encoding.vocabularySize() == 256 + 15 + 1);
  CHECK(encoding.encodeIds(" newest lowest").size() == 3);  // " newest", " low", "est"
}

TEST_CASE("training stops at the size asked for, the end of text included") {
  const std::string corpus = repeated(" low", 5) + repeated(" newest", 6);
  const BytePairEncoding encoding = trainBytePairEncoding(corpus, 260);
  CHECK(encoding.vocabularySize() == 260);
  CHECK(encoding.merges().size() == 3);
  CHECK(encoding.endOfText() == 259);
  CHECK(trainBytePairEncoding("", 300).vocabularySize() == 257);
}

TEST_CASE("training twice gives the same vocabulary, also with runs of one character") {
  const std::string corpus = repeated("aaaa aaa abab baba\xFF\xFE ", 3);
  CHECK(trainBytePairEncoding(corpus, 290) == trainBytePairEncoding(corpus, 290));
  const auto encoding = trainBytePairEncoding(corpus, 290);
  CHECK(encoding.decode(encoding.encodeIds(corpus)) == corpus);
}

TEST_CASE("the end of a text is a border, not something to learn from") {
  const auto apart = trainBytePairEncoding(repeated("low<|endoftext|>", 5), 300);
  CHECK(mergeNames(apart) == std::vector<std::string>{"l+o", "lo+w"});
}

TEST_CASE("training merges what counting everything again would merge") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const int alphabet : {1, 2, 3, 26}) {
      std::string corpus = randomLetters(300, alphabet, seed);
      for (std::size_t at = 7; seed % 2 == 0 && at < corpus.size(); at += 3 + at % 5) corpus[at] = ' ';
      INFO(corpus);
      CHECK(mergeNames(trainBytePairEncoding(corpus, 256 + 1 + 60)) == slowMerges(corpus, 60));
    }
}

TEST_CASE("a text without spaces is learned and cut in little more time than one with spaces") {
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& corpus : {randomLetters(1 << 20, 26, 1), std::string(1 << 20, 'a')}) {
    const BytePairEncoding encoding = trainBytePairEncoding(corpus, 1024);
    CHECK(encoding.decode(encoding.encodeIds(corpus)) == corpus);
  }
  // Before, 300 kB of such letters took a minute; a sanitizer's share is in it.
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(30));
}

TEST_CASE("merge by merge the same is learned as at once, and it can be used meanwhile") {
  const std::string corpus = randomLetters(3000, 5, 3) + " " + randomLetters(2000, 3, 4);
  const BytePairEncoding whole = trainBytePairEncoding(corpus, 257 + 60);
  BytePairLearning learning(corpus);
  CHECK(learning.encoding().merges().empty());
  while (learning.merges() < 60) {
    REQUIRE(learning.advance());
    if (learning.merges() != 20) continue;
    const BytePairEncoding first = learning.encoding();
    CHECK(std::equal(first.merges().begin(), first.merges().end(), whole.merges().begin()));
    CHECK(first.decode(first.encodeIds("abcabc")) == "abcabc");
  }
  CHECK(learning.encoding().merges() == whole.merges());
  while (learning.advance()) {
  }
  CHECK_FALSE(learning.advance());
}
