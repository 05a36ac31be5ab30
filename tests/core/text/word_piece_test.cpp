// What word pieces are, worked out by hand; against an independent implementation they are held by
// tokenizer_reference_test.cpp.
#include "core/text/word_piece.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/random.h"
#include "core/text/normalizer_steps.h"
#include "core/text/text_pipeline.h"
#include "core/text/tokenizers.h"
#include "core/text/word_piece_file.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::vector<std::string> names{"[PAD]",    "[UNK]",  "[CLS]", "[SEP]", "[MASK]", "un",
                                     "##believ", "##able", "dog",   "##s",   "cafe",   ".",
                                     "'",        "s",      "中",    "a",     "##a",    "i"};

WordPiece made(WordPieceRules rules = {}) {
  std::vector<AddedToken> added;
  for (int id = 0; id < 5; ++id) added.push_back({.id = id});
  auto tokenizer = WordPiece::create(names, std::move(rules), added);
  REQUIRE(tokenizer);
  return *std::move(tokenizer);
}

// "un|##believ" for a text's tokens, and the bytes of each: "0-2".
std::string cut(const WordPiece& tokenizer, std::string_view text, bool places = false) {
  std::string cut;
  for (const Token& token : tokenizer.encode(text)) {
    cut += (cut.empty() ? "" : "|") + tokenizer.tokenBytes(token.id);
    if (places) cut += " " + std::to_string(token.begin) + "-" + std::to_string(token.end);
  }
  return cut;
}

std::string refusalOf(std::string_view json) {
  const auto read = readTokenizerJson(json, "tokenizer.json");
  return read ? "accepted" : read.error().message();
}

std::string without(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

}  // namespace

TEST_CASE("a word is the longest token that it begins with, and so on; or it is unknown as a whole") {
  const WordPiece tokenizer = made();
  CHECK(cut(tokenizer, "unbelievable") == "un|##believ|##able");
  CHECK(cut(tokenizer, "Dogs.") == "dog|##s|.");
  CHECK(cut(tokenizer, "dogx dog") == "[UNK]|dog");
  CHECK(cut(tokenizer, "Café CAFÉ") == "cafe|cafe");
  CHECK(cut(tokenizer, "dog中dog") == "dog|中|dog");
  CHECK(cut(tokenizer, "dog's") == "dog|'|s");
}

TEST_CASE("words of more characters than the longest one are unknown, of bytes they may have more") {
  WordPieceRules rules;
  rules.longestWord = 4;
  CHECK(cut(made(rules), "aaaa") == "a|##a|##a|##a");
  CHECK(cut(made(rules), "aaaaa") == "[UNK]");
  CHECK(cut(made(rules), "áááá") == "a|##a|##a|##a");
  rules.longestWord = 1'000'000;  // and what is long is no trap
  CHECK(made(rules).encode(std::string(300'000, 'a')).size() == 300'000);
}

TEST_CASE(
    "tokens cover the text: white space goes with the token behind it, what is removed with the one before") {
  const WordPiece tokenizer = made();
  CHECK(cut(tokenizer, "  dogs \u00AD .\n", true) == "dog 0-5|##s 5-6|. 6-12");
  CHECK(cut(tokenizer, "cafe\u0301 a", true) == "cafe 0-6|a 6-8");
  CHECK(cut(tokenizer, "dog [MASK] dog", true) == "dog 0-3|[MASK] 3-10|dog 10-14");
  CHECK(cut(tokenizer, "\u200B [MASK]", true) == "[MASK] 0-10");
  CHECK(tokenizer.encode(" \u200B\n").empty());
}

TEST_CASE("bytes that are no characters are removed, and never split a word in two", "[property]") {
  const WordPiece tokenizer = made();
  CHECK(cut(tokenizer, "d\xFFog\xC3") == "dog");
  Random random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string text(static_cast<std::size_t>(random.below(24)), ' ');
    for (char& byte : text) byte = static_cast<char>(random.below(256));
    INFO(round);
    int at = 0;
    for (const Token& token : tokenizer.encode(text)) {
      CHECK(token.begin == at);
      CHECK(token.end >= token.begin);
      at = token.end;
    }
    CHECK((at == 0 || at == static_cast<int>(text.size())));
    tokenizer.decode(tokenizer.encodeIds(text));
  }
}

TEST_CASE("ideographs stand apart, in every block that the published tokenizer names") {
  for (const char32_t each :
       {0x3400, 0x4DBF, 0x4E00, 0x9FFF, 0xF900, 0x20000, 0x2A700, 0x2B740, 0x2B820, 0x2CEAF, 0x2F800}) {
    INFO(static_cast<unsigned>(each));
    CHECK(isChinese(each));
  }
  for (const char32_t each : {0x3042, 0x30C6, 0xAC00, 0x33FF, 0x2CEB0}) CHECK_FALSE(isChinese(each));
  CHECK(bertPipeline()->normalizer.applied("a\U00020000b") == "a \U00020000 b");
}

TEST_CASE("capitals become small ones each by itself, whatever stands behind them") {
  const auto written = [](const BertNormalization& how, const char* text) {
    return bertPipeline(how)->normalizer.applied(text);
  };
  CHECK(written({}, "ΟΔΟΣ İ") == "οδοσ i");  // the end of a word makes no other sigma of it
  CHECK(written({.removesAccents = false}, "İ") == "i\u0307");
}

TEST_CASE("tokens are written with a space before them, marks and what stands inside of words without") {
  const WordPiece tokenizer = made();
  const auto written = [&](const char* token) { return tokenizer.writtenBehind(tokenizer.find(token)); };
  CHECK(written("dog") == " dog");
  CHECK(written("##s") == "s");
  CHECK(written(".") == ".");
  CHECK(tokenizer.decode(tokenizer.encodeIds("unbelievable dogs .")) == "unbelievable dogs.");
  CHECK(tokenizer.decode(std::vector{-1, 8, 9999}) == "dog");
}

TEST_CASE("word pieces are read from vocab.txt as from tokenizer.json") {
  std::string lines;
  for (const std::string& name : names) lines += name + "\r\n";
  const auto read = parseVocabText(lines, "");
  if (!read) FAIL(read.error().message());
  CHECK(*read == made());
  CHECK(read->endOfText() == 3);
  CHECK(read->mask() == 4);
  const auto cased = parseVocabText(lines, R"({"do_lower_case": false, "mask_token": {"content": "a"}})");
  REQUIRE(cased);
  CHECK(cased->pipeline().normalizer.applied("Café") == "Café");
  const auto refusal = [&](const std::string& text, const char* settings = "") {
    const auto damaged = parseVocabText(text, settings);
    return damaged ? "accepted" : damaged.error().message();
  };
  CHECK_THAT(refusal(lines + "\n" + "end\n"),
             ContainsSubstring("vocab.txt, line " + std::to_string(names.size() + 1) + ": is empty"));
  CHECK_THAT(refusal("a\nb\n"), ContainsSubstring("no token \"[UNK]\""));
  CHECK_THAT(refusal("[UNK]\nb\n"), ContainsSubstring("no token \"[CLS]\""));
  CHECK_THAT(refusal(lines, R"({"do_basic_tokenize": false})"),
             ContainsSubstring("tokenizer_config.json, do_basic_tokenize: is false"));
}

TEST_CASE("of a line that vocab.txt repeats the later id counts, as its number is the id") {
  std::string lines;
  for (const std::string& name : names) lines += name + "\n";
  const auto read = parseVocabText(lines + "dog\nend\n", "");
  REQUIRE(read);
  CHECK(read->encodeIds("dog end") == std::vector<int>{18, 19});
  CHECK(read->tokenBytes(8).empty());
}

TEST_CASE("an added token is looked for in the normalized text where it says so") {
  std::vector<std::string> tokens = names;
  tokens.push_back("covid19");
  const auto read = WordPiece::create(tokens, {}, {{.id = 18, .special = false, .normalized = true}});
  REQUIRE(read);
  CHECK(read->encode("a COVID19 dog") == Tokenization{{15, 0, 1}, {18, 1, 9}, {8, 9, 13}});
  const auto plain = WordPiece::create(tokens, {}, {{.id = 18, .special = false}});
  REQUIRE(plain);
  CHECK(plain->encodeIds("a COVID19").size() == 2);
  CHECK(plain->encodeIds("a COVID19").back() == 18);  // as a word of the vocabulary
  CHECK(plain->encodeIds("COVID19s").back() != 18);
}

TEST_CASE("what a tokenizer.json of word pieces says that cannot be done is refused with its field") {
  const std::string whole = writeTokenizerJson(made());
  CHECK(refusalOf(whole) == "accepted");
  const auto older =
      readTokenizerJson(without(whole, "\"type\": \"WordPiece\",\n  \"unk_token\"", "\"unk_token\""), "");
  if (!older) FAIL(older.error().message());
  CHECK(**older == made());  // as of 2020, when models did not name their type
  CHECK_THAT(refusalOf(without(whole, "\"BertNormalizer\"", "\"BertNormalize\"")),
             ContainsSubstring("tokenizer.json, normalizer: has the type \"BertNormalize\""));
  CHECK_THAT(refusalOf(without(whole, "\"BertPreTokenizer\"", "\"Spaces\"")),
             ContainsSubstring("tokenizer.json, pre_tokenizer: has the type \"Spaces\""));
  CHECK_THAT(refusalOf(without(whole, "\"lowercase\": true", "\"lowercase\": 1")),
             ContainsSubstring("normalizer.lowercase: is 1, neither true nor false"));
  CHECK_THAT(
      refusalOf(without(whole, "\"max_input_chars_per_word\": 100", "\"max_input_chars_per_word\": -1")),
      ContainsSubstring("model.max_input_chars_per_word: is -1"));
  CHECK_THAT(refusalOf(without(whole, "\"dog\": 8", "\"dog\": -8")),
             ContainsSubstring("model.vocab: the id -8 of \"dog\" is none of 0 to"));
  CHECK_THAT(refusalOf(without(whole, "\"dog\": 8", "\"dog\": 9")), ContainsSubstring("belongs to both"));
  CHECK_THAT(refusalOf(without(whole, "\"unk_token\": \"[UNK]\"", "\"unk_token\": \"[what]\"")),
             ContainsSubstring("no token \"[what]\""));
}

TEST_CASE("a damaged tokenizer.json of word pieces is refused or read, never more", "[property]") {
  const std::string whole = writeTokenizerJson(made());
  Random random(3);
  for (int round = 0; round < 400; ++round) {
    std::string damaged = whole;
    if (round % 2 == 0)
      damaged.resize(static_cast<std::size_t>(random.below(static_cast<int>(whole.size()))));
    for (int i = 0; i < 3 && !damaged.empty(); ++i)
      damaged[static_cast<std::size_t>(random.below(static_cast<int>(damaged.size())))] =
          "{}[]\",:0a"[random.below(9)];
    if (const auto read = readTokenizerJson(damaged, ""); read) (*read)->encode("unbelievable dogs.");
  }
}
