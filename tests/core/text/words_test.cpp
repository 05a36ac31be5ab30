#include "core/text/words.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/text/tokenizers.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

Words words() {
  return *Words::create({"<unk>", "We", "wash", "our", "cats", ".", "don", "'", "t", "«", "<|endoftext|>"});
}

std::string cut(const Tokenizer& tokenizer, std::string_view text) {
  std::string pieces;
  int end = 0;
  for (const Token& token : tokenizer.encode(text)) {
    CHECK(token.begin == end);
    end = token.end;
    pieces += "|" + std::string(text.substr(static_cast<std::size_t>(token.begin),
                                            static_cast<std::size_t>(token.end - token.begin)));
  }
  CHECK(end == static_cast<int>(text.size()));
  return pieces;
}

}  // namespace

TEST_CASE("words and marks are tokens, which cover the text with its white space") {
  const Words tokenizer = words();
  CHECK(tokenizer.encodeIds("We wash our cats.") == std::vector{1, 2, 3, 4, 5});
  CHECK(cut(tokenizer, "We wash our cats.") == "|We| wash| our| cats|.");
  CHECK(cut(tokenizer, "  We\n\twash  ") == "|  We|\n\twash  ");
  CHECK(tokenizer.encodeIds("don't") == std::vector{6, 7, 8});
  CHECK(tokenizer.encodeIds("«We") == std::vector{9, 1});
  CHECK(tokenizer.encodeIds("We<|endoftext|>We") == std::vector{1, 10, 1});
  CHECK(tokenizer.encode("").empty());
  CHECK(cut(tokenizer, " \n ") == "| \n ");
}

TEST_CASE("a word that is not in the vocabulary is unknown, whatever its bytes are") {
  const Words tokenizer = words();
  CHECK(tokenizer.encodeIds("We wash our dogs") == std::vector{1, 2, 3, 0});
  CHECK(tokenizer.encodeIds("we") == std::vector{0});
  CHECK(tokenizer.encodeIds(" \n ") == std::vector{0});
  for (const std::string text : {"\xff\xfe", "We \xc3", "\xe2\x82", "猫が好き", "👩‍👩‍👧"}) {
    cut(tokenizer, text);
    for (const int id : tokenizer.encodeIds(text)) CHECK((id == 0 || id == 1));
  }
}

TEST_CASE("words are written with spaces before them, marks without") {
  const Words tokenizer = words();
  CHECK(tokenizer.decode(std::vector{1, 2, 3, 4, 5}) == "We wash our cats.");
  CHECK(tokenizer.decode(std::vector{1, 99, -1, 2}) == "We wash");
  CHECK(tokenizer.writtenBehind(4) == " cats");
  CHECK(tokenizer.writtenBehind(5) == ".");
}

TEST_CASE("a vocabulary of words needs <unk>, and every word once") {
  CHECK_THAT(Words::create({"We"}).error().message(), ContainsSubstring("<unk>"));
  CHECK_THAT(Words::create({"<unk>", "We", "We"}).error().message(), ContainsSubstring("two ids"));
  CHECK_THAT(Words::create({"<unk>", ""}).error().message(), ContainsSubstring("is empty"));
}

TEST_CASE("words are read as they were written, and what is damaged is refused by its field") {
  const Words tokenizer = words();
  const std::string json = writeTokenizerJson(tokenizer);
  const auto read = readTokenizerJson(json, "t.json");
  REQUIRE(read);
  CHECK(**read == tokenizer);
  CHECK((*read)->kind().id == "words");
  const auto refusal = [&](const std::string& from, const std::string& to) {
    std::string changed = json;
    REQUIRE(changed.find(from) != std::string::npos);
    changed.replace(changed.find(from), from.size(), to);
    const auto damaged = readTokenizerJson(changed, "t.json");
    return damaged ? "accepted" : damaged.error().message();
  };
  CHECK_THAT(refusal("\"We\": 1", "\"We\": 2"), ContainsSubstring("model.vocab"));
  CHECK_THAT(refusal("\"We\": 1", "\"We\": -1"), ContainsSubstring("none of 0 to"));
  CHECK_THAT(refusal("\"We\": 1", "\"We\": 0.5"), ContainsSubstring("t.json, model.vocab"));
  CHECK_THAT(refusal("\"unk_token\": \"<unk>\"", "\"unk_token\": \"?\""),
             ContainsSubstring("model.unk_token"));
  CHECK_THAT(refusal("\"normalizer\": null", "\"normalizer\": {}"), ContainsSubstring("normalizer"));
  CHECK_THAT(refusal("WordLevel", "Dictionary"), ContainsSubstring("words, characters"));
  CHECK_THAT(refusal("BertPreTokenizer", "Spaces"), ContainsSubstring("pre_tokenizer"));
}
