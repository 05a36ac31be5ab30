#include "core/text/byte_pair_training.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

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
