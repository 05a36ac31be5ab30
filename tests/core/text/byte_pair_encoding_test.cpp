#include "core/text/byte_pair_encoding.h"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <random>

#include "core/text/byte_pair_training.h"
#include "core/text/byte_symbols.h"
#include "core/text/pre_tokenizer.h"
#include "core/text/utf8.h"

using namespace glassformer;
using namespace std::string_literals;

namespace {

const BytePairEncoding& trained() {
  static const BytePairEncoding encoding = trainBytePairEncoding(
      "The animal didn't cross the street because it was too tired. The animal didn't cross the street "
      "because it was "
      "too wide. größer 😀😀 größer 😀😀 aaaa aaaaaaa aaaa\n\n\n",
      400);
  return encoding;
}

void checkRoundTrip(const std::string& text) {
  const Tokenization encoding = trained().encode(text);
  int at = 0;
  for (const Token& token : encoding) {
    REQUIRE(token.begin == at);
    REQUIRE(trained().tokenBytes(token.id) == text.substr(static_cast<std::size_t>(token.begin),
                                                          static_cast<std::size_t>(token.end - token.begin)));
    at = token.end;
  }
  REQUIRE(at == static_cast<int>(text.size()));
  REQUIRE(trained().decode(trained().encodeIds(text)) == text);
}

std::vector<std::string> byteTokens() {
  std::vector<std::string> tokens;
  for (int byte : byteOrder()) tokens.push_back(std::string(1, static_cast<char>(byte)));
  return tokens;
}

}  // namespace

TEST_CASE("every byte sequence round-trips and its tokens cover it") {
  for (int byte = 0; byte < 256; ++byte) checkRoundTrip(std::string(1, static_cast<char>(byte)));
  for (const std::string& text : {""s, "a\0b"s, "\0\0"s, "👩‍👩‍👧‍👦🇩🇪"s, "שלום עולם"s,
                                  "\xE2\x82"s, "\xC0\xAF\xFF\xFE"s, "it was too\r\n wide"s, " 's 'S"s,
                                  "<|endoftext|>"s, "a<|endoftext|><|endoftext|> b"s, "<|endoftext"s})
    checkRoundTrip(text);
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (unsigned length = random() % 60; length > 0; --length) text += static_cast<char>(random() % 256);
    checkRoundTrip(text);
  }
}

TEST_CASE("the end of a text is one token where it is written out") {
  const int end = trained().endOfText();
  CHECK(end == trained().vocabularySize() - 1);
  const Tokenization encoding = trained().encode("a<|endoftext|>a");
  REQUIRE(encoding.size() == 3);
  CHECK(encoding[1] == Token{end, 1, 14});
  CHECK(encoding[2].id == encoding[0].id);
}

TEST_CASE("a mask is one token where there is one, in any order with the end of a text") {
  auto tokens = byteTokens();
  for (const char* name : {"<|endoftext|>", "<|mask|>"}) tokens.push_back(name);
  const auto encoding = BytePairEncoding::create(tokens, {});
  REQUIRE(encoding);
  CHECK(encoding->mask() == 257);
  CHECK(encoding->isSpecial(256));
  CHECK(encoding->isSpecial(257));
  CHECK_FALSE(encoding->isSpecial(-1));
  CHECK_FALSE(encoding->isSpecial(64));
  const int a = 'a' - '!';
  CHECK(encoding->encodeIds("<|mask|>a<|endoftext|><|mask|>") == std::vector<int>{257, a, 256, 257});
  CHECK(encoding->nextAdded("a<|mask|>", 0) == Token{257, 1, 9});
  CHECK(encoding->nextAdded("a<|mask|>", 2) == std::nullopt);
  CHECK(encoding->encode("a <|mask|> <|endoftext|>")[1] == Token{257, 1, 10});
  CHECK(encoding->nextAdded("a <|mask|>", 2) == Token{257, 2, 10});
  CHECK(trained().mask() == -1);
  CHECK(trained().encodeIds("<|mask|>").size() > 1);
}

TEST_CASE("merge steps lead from bytes to the encoding, lowest rank first") {
  for (std::string_view word : {" animal", " cross", " aaaaaaa", " größer", " xyz", "\xE2\x82", "!"}) {
    const auto steps = trained().mergeSteps(word);
    const std::vector<int> ids = trained().encodeIds(word);
    if (steps.empty()) {
      CHECK(ids.size() == word.size());
      continue;
    }
    CHECK(steps.front().before.size() == word.size());
    CHECK(steps.back().after == ids);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Merge merge = trained().merges()[static_cast<std::size_t>(steps[i].rank)];
      CHECK(merge == Merge{steps[i].left, steps[i].right});
      CHECK(steps[i].after.size() < steps[i].before.size());
      CHECK(trained().decode(steps[i].after) == word);
      if (i > 0) CHECK(steps[i].before == steps[i - 1].after);
      if (i > 0) CHECK(steps[i].rank > steps[i - 1].rank);
    }
  }
}

TEST_CASE("equal neighbours are joined from the left") {
  auto tokens = byteTokens();
  tokens.push_back("aa");
  const int a = 'a' - '!';
  const auto encoding = BytePairEncoding::create(tokens, {{a, a}});
  REQUIRE(encoding);
  CHECK(encoding->encodeIds("aaaaa") == std::vector<int>{256, 256, a});
  REQUIRE(encoding->mergeSteps("aaaaa").size() == 1);
  CHECK(encoding->mergeSteps("aaaaa")[0].after == std::vector<int>{256, 256, a});
}

TEST_CASE("labels can be drawn whatever the token") {
  auto tokens = byteTokens();
  for (const char* text : {" dog", "  ", "\n\n", " \xE2\x82", "€", " a b", "<|endoftext|>"})
    tokens.push_back(text);
  const auto encoding = BytePairEncoding::create(tokens, {});
  REQUIRE(encoding);
  const auto label = [&](std::string_view bytes) { return encoding->tokenLabel(encoding->find(bytes)); };
  CHECK(label(" dog") == "·dog");
  CHECK(label(" ") == "␣");
  CHECK(label("  ") == "␣␣");
  CHECK(label(" a b") == "·a␣b");
  CHECK(label("\n\n") == "↵↵");
  CHECK(label(" \xE2\x82") == "·<E2><82>");
  CHECK(label("€") == "€");
  CHECK(label("<|endoftext|>") == "<|endoftext|>");
  for (int id = 0; id < encoding->vocabularySize(); ++id) {
    CHECK(isValidUtf8(encoding->tokenLabel(id)));
    CHECK_FALSE(encoding->tokenLabel(id).empty());
  }
}

TEST_CASE("a vocabulary that cannot work is refused with the reason") {
  const auto whatOf = [](std::vector<std::string> tokens, std::vector<Merge> merges) {
    const auto encoding = BytePairEncoding::create(std::move(tokens), std::move(merges));
    return encoding ? "accepted" : encoding.error().message();
  };
  auto tokens = byteTokens();
  tokens.push_back("");
  CHECK(whatOf(tokens, {}) == "tokens: the token with id 256 is empty");
  tokens.back() = "a";
  CHECK(whatOf(tokens, {}) == "tokens: the token \"a\" has two ids, 64 and 256");
  tokens.back() = "ab";
  CHECK(whatOf(tokens, {{64, 300}}) == "merge 0: it joins an id without a token: 300");
  CHECK(whatOf(tokens, {{64, 65}, {65, 65}}) == "merge 1: its result \"bb\" is not a token");
  CHECK(whatOf(tokens, {{64, 65}, {64, 65}}) == "merge 1: \"a\" and \"b\" are merged a second time");
}

TEST_CASE("a vocabulary may lack a byte: a text that holds it alone meets the gap") {
  auto tokens = byteTokens();
  const int a = 'a' - '!', b = 'b' - '!';
  tokens.push_back("ab"), tokens[static_cast<std::size_t>(a) + 2] = "missing";  // c
  const auto encoding = BytePairEncoding::create(tokens, {{a, b}});
  REQUIRE(encoding);
  CHECK(encoding->encodeIds("abba") == std::vector<int>{256, b, a});
  // No token is for what is unknown: the byte is left out, and its neighbors come together.
  CHECK(encoding->encode("acb") == Tokenization{{256, 0, 3}});
  CHECK(encoding->words("acb", true).at(0).units == std::vector<int>{a, b});
}

TEST_CASE("a hundred thousand characters are encoded at once, even as one word", "[timing]") {
  std::mt19937 random(3);
  std::string oneWord, manyWords, noise;
  while (oneWord.size() < 100000) oneWord += "aaaa"[random() % 4];
  while (manyWords.size() < 100000) manyWords += " w" + std::to_string(random()) + "animal";
  while (noise.size() < 100000) noise += static_cast<char>(random() % 256);
  for (const std::string* text : {&oneWord, &manyWords, &noise}) {
    const auto start = std::chrono::steady_clock::now();
    const Tokenization encoding = trained().encode(*text);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    CHECK(encoding.back().end == static_cast<int>(text->size()));
    // A quadratic encoder takes minutes; the bound leaves room for sanitizers and busy machines.
    CHECK(seconds.count() < 2.0);
  }
}

TEST_CASE("an added token that is a single word is found only where no word touches it") {
  auto tokens = byteTokens();
  tokens.push_back("dog");
  const auto encoding = BytePairEncoding::create(tokens, {}, {{.id = 256, .singleWord = true}});
  REQUIRE(encoding);
  const auto count = [&](std::string_view text) {
    return std::ranges::count(encoding->encodeIds(text), 256);
  };
  CHECK(count("dog") == 1);
  CHECK(count("a dog, dog-dog") == 3);
  CHECK(count("dogs hotdog dog_ dog7 édog") == 0);
}

TEST_CASE("an id that the model has room for, but the tokenizer no token, has a label") {
  CHECK(trained().tokenLabel(trained().vocabularySize() + 5) ==
        "#" + std::to_string(trained().vocabularySize() + 5));
  CHECK(trained().tokenBytes(trained().vocabularySize()).empty());
  CHECK_FALSE(trained().isSpecial(trained().vocabularySize()));
}
