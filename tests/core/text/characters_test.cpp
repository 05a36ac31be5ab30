#include "core/text/characters.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/text/tokenizers.h"

using namespace glassformer;
using Catch::Matchers::ContainsSubstring;

namespace {

Characters letters() {
  return *Characters::create({"<unk>", "a", "b", " ", "ß", "猫", "\n", "<|endoftext|>"});
}

}  // namespace

TEST_CASE("every character is a token, spaces too") {
  const Characters tokenizer = letters();
  CHECK(tokenizer.encodeIds("ab ß猫\n") == std::vector{1, 2, 3, 4, 5, 6});
  CHECK(tokenizer.encodeIds("a<|endoftext|>b") == std::vector{1, 7, 2});
  CHECK(tokenizer.decode(std::vector{2, 1, 3, 5}) == "ba 猫");
  CHECK(tokenizer.encode("").empty());
}

TEST_CASE("tokens of characters cover any bytes; what is not in the vocabulary is unknown") {
  const Characters tokenizer = letters();
  for (const std::string text : {"axb", "\xff\xfe", "a\xc3", "\xe2\x82", "👩‍👩‍👧", "ab"}) {
    int end = 0;
    for (const Token& token : tokenizer.encode(text)) {
      CHECK(token.begin == end);
      CHECK(token.end > token.begin);
      end = token.end;
    }
    CHECK(end == static_cast<int>(text.size()));
  }
  CHECK(tokenizer.encodeIds("axb") == std::vector{1, 0, 2});
  CHECK(tokenizer.encodeIds("\xff\xfe") == std::vector{0, 0});
}

TEST_CASE("characters are read as they were written, and told from words") {
  const Characters tokenizer = letters();
  const auto read = readTokenizerJson(writeTokenizerJson(tokenizer), "t.json");
  REQUIRE(read);
  CHECK(**read == tokenizer);
  CHECK((*read)->kind().id == "characters");
  CHECK_THAT(Characters::create({"<unk>", "ab"}).error().message(), ContainsSubstring("more than one"));
  CHECK_THAT(Characters::create({"a"}).error().message(), ContainsSubstring("<unk>"));
}
